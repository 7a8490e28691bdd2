//go:build amd64 && !purego

#include "textflag.h"

// ROW multiplies four elements of a row of a with those of the rows of b in Y8
// and Y9 and adds the products to S and T.
#define ROW(A, S, T) \
	VMOVUPD (A)(AX*8), Y10 \
	VFMADD231PD Y8, Y10, S \
	VFMADD231PD Y9, Y10, T

// FOLD adds the lanes of S and of T, (0+2) + (1+3), to dst[0] and dst[1].
#define FOLD(S, SX, T, TX, dst) \
	VEXTRACTF128 $1, S, X8 \
	VADDPD X8, SX, SX \
	VEXTRACTF128 $1, T, X9 \
	VADDPD X9, TX, TX \
	VHADDPD TX, SX, SX \
	VADDPD dst, SX, SX \
	VMOVUPD SX, dst

// func dotsAVX2(a, b *float64, stride, n int, dst *[8]float64)
TEXT ·dotsAVX2(SB), NOSPLIT, $0-40
	MOVQ a+0(FP), R8
	MOVQ b+8(FP), R12
	MOVQ stride+16(FP), BX
	MOVQ n+24(FP), CX
	MOVQ dst+32(FP), DX
	LEAQ (R8)(BX*8), R9
	LEAQ (R9)(BX*8), R10
	LEAQ (R10)(BX*8), R11
	LEAQ (R12)(BX*8), R13
	XORQ AX, AX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7

dotsloop:
	VMOVUPD (R12)(AX*8), Y8
	VMOVUPD (R13)(AX*8), Y9
	ROW(R8, Y0, Y1)
	ROW(R9, Y2, Y3)
	ROW(R10, Y4, Y5)
	ROW(R11, Y6, Y7)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT dotsloop
	FOLD(Y0, X0, Y1, X1, 0(DX))
	FOLD(Y2, X2, Y3, X3, 16(DX))
	FOLD(Y4, X4, Y5, X5, 32(DX))
	FOLD(Y6, X6, Y7, X7, 48(DX))
	VZEROUPPER
	RET
