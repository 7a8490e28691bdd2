//go:build amd64 && !purego

#include "textflag.h"

// func standardiseAVX2(dst, x, centre, factor *float64, n int)
TEXT ·standardiseAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ centre+16(FP), R8
	MOVQ factor+24(FP), R9
	MOVQ n+32(FP), CX
	XORQ AX, AX

standardiseloop:
	VMOVUPD (SI)(AX*8), Y0
	VSUBPD (R8)(AX*8), Y0, Y0
	VMULPD (R9)(AX*8), Y0, Y0
	VMOVUPD Y0, (DI)(AX*8)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT standardiseloop
	VZEROUPPER
	RET

// func addQuotientsAVX2(sum, x *float64, n int, divisor float64)
TEXT ·addQuotientsAVX2(SB), NOSPLIT, $0-32
	MOVQ sum+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSD divisor+24(FP), Y1
	XORQ AX, AX

quotientsloop:
	VMOVUPD (SI)(AX*8), Y0
	VDIVPD Y1, Y0, Y0
	VADDPD (DI)(AX*8), Y0, Y0
	VMOVUPD Y0, (DI)(AX*8)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT quotientsloop
	VZEROUPPER
	RET

// func addSquaresAVX2(sum, x, centre *float64, n int)
TEXT ·addSquaresAVX2(SB), NOSPLIT, $0-32
	MOVQ sum+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ centre+16(FP), R8
	MOVQ n+24(FP), CX
	XORQ AX, AX

squaresloop:
	VMOVUPD (SI)(AX*8), Y0
	VSUBPD (R8)(AX*8), Y0, Y0
	VMULPD Y0, Y0, Y0
	VADDPD (DI)(AX*8), Y0, Y0
	VMOVUPD Y0, (DI)(AX*8)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT squaresloop
	VZEROUPPER
	RET
