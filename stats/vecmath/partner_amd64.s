//go:build amd64 && !purego

#include "textflag.h"

DATA partnerLanes<>+0(SB)/8, $0.0
DATA partnerLanes<>+8(SB)/8, $1.0
DATA partnerLanes<>+16(SB)/8, $2.0
DATA partnerLanes<>+24(SB)/8, $3.0
GLOBL partnerLanes<>(SB), RODATA|NOPTR, $32

DATA partnerNumbers<>+0(SB)/8, $2.0
DATA partnerNumbers<>+8(SB)/8, $4.0
DATA partnerNumbers<>+16(SB)/8, $0x7ff0000000000000
GLOBL partnerNumbers<>(SB), RODATA|NOPTR, $24

// func partnerGainsAVX2(f, lower, diag, row *float64, n int, top, kii, floor float64, gains *partnerGains)
TEXT ·partnerGainsAVX2(SB), NOSPLIT, $0-72
	MOVQ f+0(FP), DI
	MOVQ lower+8(FP), R8
	MOVQ diag+16(FP), R9
	MOVQ row+24(FP), R10
	MOVQ n+32(FP), CX
	VBROADCASTSD top+40(FP), Y15
	VBROADCASTSD kii+48(FP), Y14
	VBROADCASTSD floor+56(FP), Y13
	MOVQ gains+64(FP), DX
	VXORPD Y12, Y12, Y12
	VBROADCASTSD partnerNumbers<>+0(SB), Y11
	VBROADCASTSD partnerNumbers<>+8(SB), Y4
	VBROADCASTSD partnerNumbers<>+16(SB), Y7 // smallest c
	VXORPD Y6, Y6, Y6 // largest c
	VXORPD Y10, Y10, Y10 // largest gain
	VXORPD Y9, Y9, Y9 // second largest gain
	VXORPD Y8, Y8, Y8 // element of the largest
	VMOVUPD partnerLanes<>(SB), Y5 // elements
	XORQ AX, AX

// Where a number is NaN, minima and maxima are their second source, the first here.
gainsloop:
	VADDPD (R9)(AX*8), Y14, Y1
	VFNMADD231PD (R10)(AX*8), Y11, Y1
	VCMPPD $0x12, Y12, Y1, Y2
	VBLENDVPD Y2, Y13, Y1, Y1 // c
	VSUBPD (DI)(AX*8), Y15, Y0
	VSUBPD (R8)(AX*8), Y0, Y0
	VMAXPD Y12, Y0, Y0 // d, or 0
	VMULPD Y0, Y0, Y0
	VDIVPD Y1, Y0, Y0
	VMINPD Y7, Y1, Y7
	VMAXPD Y6, Y1, Y6
	VMINPD Y10, Y0, Y2
	VMAXPD Y9, Y2, Y9
	VCMPPD $0x1e, Y10, Y0, Y3
	VBLENDVPD Y3, Y5, Y8, Y8
	VMAXPD Y10, Y0, Y10
	VADDPD Y4, Y5, Y5
	ADDQ $4, AX
	CMPQ AX, CX
	JLT gainsloop
	VMOVUPD Y10, 0(DX)
	VMOVUPD Y9, 32(DX)
	VMOVUPD Y8, 64(DX)
	VMOVUPD Y7, 96(DX)
	VMOVUPD Y6, 128(DX)
	VZEROUPPER
	RET
