//go:build amd64 && !purego

#include "textflag.h"

DATA laneNumbers<>+0(SB)/8, $0.0
DATA laneNumbers<>+8(SB)/8, $1.0
DATA laneNumbers<>+16(SB)/8, $2.0
DATA laneNumbers<>+24(SB)/8, $3.0
GLOBL laneNumbers<>(SB), RODATA|NOPTR, $32

DATA four<>+0(SB)/8, $4.0
GLOBL four<>(SB), RODATA|NOPTR, $8

// STEP does four elements, whose numbers are in Y14: LARGEST holds the largest sums of
// each lane, FIRST the elements that have them, SMALLEST the smallest sums. What is NaN
// replaces neither.
#define STEP(off, LARGEST, FIRST, SMALLEST) \
	VMOVUPD off(SI)(AX*8), Y0 \
	VSUBPD off(R8)(AX*8), Y0, Y0 \
	VMULPD Y15, Y0, Y0 \
	VMOVUPD off(DI)(AX*8), Y1 \
	VSUBPD Y0, Y1, Y1 \
	VMOVUPD Y1, off(DI)(AX*8) \
	VADDPD off(R9)(AX*8), Y1, Y2 \
	VCMPPD $0x1e, LARGEST, Y2, Y3 \
	VBLENDVPD Y3, Y2, LARGEST, LARGEST \
	VBLENDVPD Y3, Y14, FIRST, FIRST \
	VADDPD off(R10)(AX*8), Y1, Y4 \
	VMINPD SMALLEST, Y4, SMALLEST \
	VADDPD Y13, Y14, Y14

// ACROSS sets all lanes of Y to their OP, which is that of two vectors.
#define ACROSS(OP, Y, T) \
	VPERM2F128 $1, Y, Y, T \
	OP T, Y, Y \
	VSHUFPD $5, Y, Y, T \
	OP T, Y, Y

// func pairStepAVX2(f, a, b, upper, lower *float64, n int, delta float64, found *stepFound)
TEXT ·pairStepAVX2(SB), NOSPLIT, $0-64
	MOVQ f+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), R8
	MOVQ upper+24(FP), R9
	MOVQ lower+32(FP), R10
	MOVQ n+40(FP), CX
	VBROADCASTSD delta+48(FP), Y15
	MOVQ found+56(FP), DX
	VMOVUPD laneNumbers<>(SB), Y14
	VBROADCASTSD four<>(SB), Y13
	VBROADCASTSD (DX), Y5 // two of each, which do not wait for one another
	VBROADCASTSD 8(DX), Y6
	VBROADCASTSD 16(DX), Y7
	VMOVAPD Y5, Y8
	VMOVAPD Y6, Y9
	VMOVAPD Y7, Y10
	XORQ AX, AX
	SUBQ $4, CX
	JMP steptest

steploop:
	STEP(0, Y5, Y6, Y7)
	STEP(32, Y8, Y9, Y10)
	ADDQ $8, AX

steptest:
	CMPQ AX, CX
	JLT steploop
	JNE stepfold
	STEP(0, Y5, Y6, Y7)

stepfold:
	VMINPD Y10, Y7, Y7
	ACROSS(VMINPD, Y7, Y4)
	VMAXPD Y8, Y5, Y0
	ACROSS(VMAXPD, Y0, Y4)
	VCMPPD $0, Y0, Y5, Y5 // the lanes that have the largest sum
	VCMPPD $0, Y0, Y8, Y8
	VBROADCASTSD 16(DX), Y4 // +Inf where they have not
	VBLENDVPD Y5, Y6, Y4, Y6
	VBLENDVPD Y8, Y9, Y4, Y9
	VMINPD Y9, Y6, Y6
	ACROSS(VMINPD, Y6, Y4)
	VMOVSD X0, (DX)
	VMOVSD X6, 8(DX)
	VMOVSD X7, 16(DX)
	VZEROUPPER
	RET
