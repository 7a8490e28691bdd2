//go:build amd64 && !purego

#include "textflag.h"

// ROW multiplies four elements of a row of a with those of the rows of b in Y12,
// Y13 and Y14 and adds the products to S, T and U.
#define ROW(A, S, T, U) \
	VMOVUPD (A)(AX*8), Y15 \
	VFMADD231PD Y12, Y15, S \
	VFMADD231PD Y13, Y15, T \
	VFMADD231PD Y14, Y15, U

// FOLD makes the sums of the lanes of S, T and U, (0+2) + (1+3), in SX and UX.
#define FOLD(S, SX, T, TX, U, UX) \
	VEXTRACTF128 $1, S, X12 \
	VADDPD X12, SX, SX \
	VEXTRACTF128 $1, T, X13 \
	VADDPD X13, TX, TX \
	VEXTRACTF128 $1, U, X14 \
	VADDPD X14, UX, UX \
	VHADDPD TX, SX, SX \
	VHADDPD UX, UX, UX

// ADD adds what is at dst to these sums, STORE puts them there.
#define ADD(SX, UX, dst, dst2) \
	VADDPD dst, SX, SX \
	VADDSD dst2, UX, UX
#define STORE(SX, UX, dst, dst2) \
	VMOVUPD SX, dst \
	VMOVSD UX, dst2

// LAST adds the products of one element of a row of a to these sums.
#define LAST(A, SX, UX) \
	VMOVDDUP (A)(AX*8), X15 \
	VFMADD231PD X12, X15, SX \
	VFMADD231SD X14, X15, UX

// LASTS adds the products of element AX of all rows.
#define LASTS \
	VMOVSD (R12)(AX*8), X12 \
	VMOVHPD (R13)(AX*8), X12, X12 \
	VMOVSD (DI)(AX*8), X14 \
	LAST(R8, X0, X2) \
	LAST(R9, X3, X5) \
	LAST(R10, X6, X8) \
	LAST(R11, X9, X11)

// CLEAR begins a tile, ROWS is a step of its lanes, FOLDS their sums.
#define CLEAR \
	VXORPD Y0, Y0, Y0 \
	VXORPD Y1, Y1, Y1 \
	VXORPD Y2, Y2, Y2 \
	VXORPD Y3, Y3, Y3 \
	VXORPD Y4, Y4, Y4 \
	VXORPD Y5, Y5, Y5 \
	VXORPD Y6, Y6, Y6 \
	VXORPD Y7, Y7, Y7 \
	VXORPD Y8, Y8, Y8 \
	VXORPD Y9, Y9, Y9 \
	VXORPD Y10, Y10, Y10 \
	VXORPD Y11, Y11, Y11

#define ROWS \
	VMOVUPD (R12)(AX*8), Y12 \
	VMOVUPD (R13)(AX*8), Y13 \
	VMOVUPD (DI)(AX*8), Y14 \
	ROW(R8, Y0, Y1, Y2) \
	ROW(R9, Y3, Y4, Y5) \
	ROW(R10, Y6, Y7, Y8) \
	ROW(R11, Y9, Y10, Y11)

#define FOLDS \
	FOLD(Y0, X0, Y1, X1, Y2, X2) \
	FOLD(Y3, X3, Y4, X4, Y5, X5) \
	FOLD(Y6, X6, Y7, X7, Y8, X8) \
	FOLD(Y9, X9, Y10, X10, Y11, X11)

// func dotsAVX2(a, b *float64, stride, n int, tiles *Tile, count int, dst *float64)
TEXT ·dotsAVX2(SB), NOSPLIT, $0-56
	MOVQ stride+16(FP), BX
	MOVQ n+24(FP), CX
	ANDQ $-4, CX
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
	CLEAR
	XORQ AX, AX
	JMP dotstest

dotsloop:
	ROWS
	ADDQ $4, AX

dotstest:
	CMPQ AX, CX
	JLT dotsloop
	FOLDS
	ADD(X0, X2, 0(DX), 16(DX))
	ADD(X3, X5, 24(DX), 40(DX))
	ADD(X6, X8, 48(DX), 64(DX))
	ADD(X9, X11, 72(DX), 88(DX))
	JMP dotslasttest

dotslast:
	LASTS
	INCQ AX

dotslasttest:
	CMPQ AX, n+24(FP)
	JLT dotslast
	STORE(X0, X2, 0(DX), 16(DX))
	STORE(X3, X5, 24(DX), 40(DX))
	STORE(X6, X8, 48(DX), 64(DX))
	STORE(X9, X11, 72(DX), 88(DX))
	ADDQ $16, SI
	ADDQ $96, DX
	DECQ count+40(FP)
	JNZ dotstile
	VZEROUPPER
	RET

// func addTilesAVX2(dst *float64, m int, a, b *float64, stride, n, count int)
TEXT ·addTilesAVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DX
	MOVQ m+8(FP), SI
	MOVQ a+16(FP), R8
	MOVQ b+24(FP), R12
	MOVQ stride+32(FP), BX
	MOVQ n+40(FP), CX
	ANDQ $-4, CX
	LEAQ (R8)(BX*8), R9
	LEAQ (R9)(BX*8), R10
	LEAQ (R10)(BX*8), R11

addtile:
	LEAQ (R12)(BX*8), R13
	LEAQ (R13)(BX*8), DI
	CLEAR
	XORQ AX, AX
	JMP addtest

addloop:
	ROWS
	ADDQ $4, AX

addtest:
	CMPQ AX, CX
	JLT addloop
	FOLDS
	JMP addlasttest

addlast:
	LASTS
	INCQ AX

addlasttest:
	CMPQ AX, n+40(FP)
	JLT addlast
	LEAQ (DX)(SI*8), R12
	LEAQ (R12)(SI*8), R13
	LEAQ (R13)(SI*8), AX
	ADD(X0, X2, 0(DX), 16(DX))
	ADD(X3, X5, 0(R12), 16(R12))
	ADD(X6, X8, 0(R13), 16(R13))
	ADD(X9, X11, 0(AX), 16(AX))
	STORE(X0, X2, 0(DX), 16(DX))
	STORE(X3, X5, 0(R12), 16(R12))
	STORE(X6, X8, 0(R13), 16(R13))
	STORE(X9, X11, 0(AX), 16(AX))
	ADDQ $24, DX
	LEAQ (DI)(BX*8), R12
	DECQ count+48(FP)
	JNZ addtile
	VZEROUPPER
	RET
