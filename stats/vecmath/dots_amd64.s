//go:build amd64 && !purego

#include "textflag.h"

// ROW multiplies four elements of a row of a with those of the rows of b in Y12,
// Y13 and Y14 and adds the products to S, T and U.
#define ROW(A, S, T, U) \
	VMOVUPD (A)(AX*8), Y15 \
	VFMADD231PD Y12, Y15, S \
	VFMADD231PD Y13, Y15, T \
	VFMADD231PD Y14, Y15, U

// FOLD adds the lanes of S, T and U, (0+2) + (1+3), to three elements at dst.
#define FOLD(S, SX, T, TX, U, UX, dst, dst2) \
	VEXTRACTF128 $1, S, X12 \
	VADDPD X12, SX, SX \
	VEXTRACTF128 $1, T, X13 \
	VADDPD X13, TX, TX \
	VEXTRACTF128 $1, U, X14 \
	VADDPD X14, UX, UX \
	VHADDPD TX, SX, SX \
	VHADDPD UX, UX, UX \
	VADDPD dst, SX, SX \
	VADDSD dst2, UX, UX \
	VMOVUPD SX, dst \
	VMOVSD UX, dst2

// func dotsAVX2(a, b *float64, stride, n int, tiles *Tile, count int, dst *float64)
TEXT ·dotsAVX2(SB), NOSPLIT, $0-56
	MOVQ stride+16(FP), BX
	MOVQ n+24(FP), CX
	MOVQ tiles+32(FP), SI
	MOVQ dst+48(FP), DX

dotstile:
	MOVQ 0(SI), R8
	MOVQ 8(SI), R12
	IMULQ BX, R8
	IMULQ BX, R12
	SHLQ $3, R8
	SHLQ $3, R12
	ADDQ a+0(FP), R8
	ADDQ b+8(FP), R12
	LEAQ (R8)(BX*8), R9
	LEAQ (R9)(BX*8), R10
	LEAQ (R10)(BX*8), R11
	LEAQ (R12)(BX*8), R13
	LEAQ (R13)(BX*8), DI
	XORQ AX, AX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7
	VXORPD Y8, Y8, Y8
	VXORPD Y9, Y9, Y9
	VXORPD Y10, Y10, Y10
	VXORPD Y11, Y11, Y11

dotsloop:
	VMOVUPD (R12)(AX*8), Y12
	VMOVUPD (R13)(AX*8), Y13
	VMOVUPD (DI)(AX*8), Y14
	ROW(R8, Y0, Y1, Y2)
	ROW(R9, Y3, Y4, Y5)
	ROW(R10, Y6, Y7, Y8)
	ROW(R11, Y9, Y10, Y11)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT dotsloop
	FOLD(Y0, X0, Y1, X1, Y2, X2, 0(DX), 16(DX))
	FOLD(Y3, X3, Y4, X4, Y5, X5, 24(DX), 40(DX))
	FOLD(Y6, X6, Y7, X7, Y8, X8, 48(DX), 64(DX))
	FOLD(Y9, X9, Y10, X10, Y11, X11, 72(DX), 88(DX))
	ADDQ $16, SI
	ADDQ $96, DX
	DECQ count+40(FP)
	JNZ dotstile
	VZEROUPPER
	RET
