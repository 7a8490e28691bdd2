//go:build amd64 && !purego

#include "textflag.h"

DATA laneNumbers<>+0(SB)/8, $0.0
DATA laneNumbers<>+8(SB)/8, $1.0
DATA laneNumbers<>+16(SB)/8, $2.0
DATA laneNumbers<>+24(SB)/8, $3.0
GLOBL laneNumbers<>(SB), RODATA|NOPTR, $32

DATA four<>+0(SB)/8, $4.0
GLOBL four<>(SB), RODATA|NOPTR, $8

// func pairStepAVX2(f, a, b, upper, lower *float64, n int, delta float64, lanes *stepLanes)
TEXT ·pairStepAVX2(SB), NOSPLIT, $0-64
	MOVQ f+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), R8
	MOVQ upper+24(FP), R9
	MOVQ lower+32(FP), R10
	MOVQ n+40(FP), CX
	VBROADCASTSD delta+48(FP), Y15
	MOVQ lanes+56(FP), DX
	VMOVUPD laneNumbers<>(SB), Y14 // i of the present elements
	VBROADCASTSD four<>(SB), Y13
	VMOVUPD (DX), Y10   // largest
	VMOVUPD 32(DX), Y11 // its i
	VMOVUPD 64(DX), Y12 // smallest
	XORQ AX, AX

steploop:
	VMOVUPD (SI)(AX*8), Y0
	VSUBPD (R8)(AX*8), Y0, Y0
	VMULPD Y15, Y0, Y0
	VMOVUPD (DI)(AX*8), Y1
	VSUBPD Y0, Y1, Y1
	VMOVUPD Y1, (DI)(AX*8)
	VADDPD (R9)(AX*8), Y1, Y2
	VCMPPD $0x1e, Y10, Y2, Y3 // Y2 > Y10, false for NaN
	VBLENDVPD Y3, Y2, Y10, Y10
	VBLENDVPD Y3, Y14, Y11, Y11
	VADDPD (R10)(AX*8), Y1, Y4
	VMINPD Y12, Y4, Y12 // Y4 < Y12 ? Y4 : Y12
	VADDPD Y13, Y14, Y14
	ADDQ $4, AX
	CMPQ AX, CX
	JLT steploop
	VMOVUPD Y10, (DX)
	VMOVUPD Y11, 32(DX)
	VMOVUPD Y12, 64(DX)
	VZEROUPPER
	RET
