//go:build amd64 && !purego

#include "textflag.h"

// ROW multiplies four elements of a row of a with those of the rows of b in Y12,
// Y13 and Y14 and adds the products to S, T and U.
#define ROW(A, S, T, U) \
	VMOVUPD (A)(AX*8), Y15 \
	VFMADD231PD Y12, Y15, S \
	VFMADD231PD Y13, Y15, T \
	VFMADD231PD Y14, Y15, U

// QUAD makes the sums of the lanes of R, S, T and U, (0+2) + (1+3), in R.
#define QUAD(R, S, T, U) \
	VBLENDPD $12, T, R, Y12 \
	VPERM2F128 $0x21, T, R, Y13 \
	VADDPD Y13, Y12, R \
	VBLENDPD $12, U, S, Y14 \
	VPERM2F128 $0x21, U, S, Y15 \
	VADDPD Y15, Y14, S \
	VHADDPD S, R, R

// LAST adds four of the products of one element, of rows of a in Y12 and of b in Y13,
// to sums.
#define LAST(rows, columns, SUMS) \
	VPERMPD $rows, Y12, Y14 \
	VPERMPD $columns, Y13, Y15 \
	VFMADD231PD Y14, Y15, SUMS

// LASTS adds the products of element AX of all rows: of rows 0 0 0 1, 1 1 2 2 and 2 3 3 3
// of a with rows 0 1 2 0, 1 2 0 1 and 2 0 1 2 of b.
#define LASTS \
	VMOVSD (R8)(AX*8), X12 \
	VMOVHPD (R9)(AX*8), X12, X12 \
	VMOVSD (R10)(AX*8), X14 \
	VMOVHPD (R11)(AX*8), X14, X14 \
	VINSERTF128 $1, X14, Y12, Y12 \
	VMOVSD (R12)(AX*8), X13 \
	VMOVHPD (R13)(AX*8), X13, X13 \
	VMOVSD (DI)(AX*8), X15 \
	VINSERTF128 $1, X15, Y13, Y13 \
	LAST(0x40, 0x24, Y0) \
	LAST(0xA5, 0x49, Y4) \
	LAST(0xFE, 0x92, Y8)

// CLEAR begins a tile, ROWS is a step of its lanes, FOLDS puts their sums, row after
// row, into Y0, Y4 and Y8.
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
	QUAD(Y0, Y1, Y2, Y3) \
	QUAD(Y4, Y5, Y6, Y7) \
	QUAD(Y8, Y9, Y10, Y11)

// STORE folds a tile, adds what is in dst and then the products of the last elements,
// and stores the sums.
#define STORE \
	FOLDS \
	VADDPD 0(DX), Y0, Y0 \
	VADDPD 32(DX), Y4, Y4 \
	VADDPD 64(DX), Y8, Y8 \
	JMP lasttest \
last: \
	LASTS \
	INCQ AX \
lasttest: \
	CMPQ AX, n+24(FP) \
	JLT last \
	VMOVUPD Y0, 0(DX) \
	VMOVUPD Y4, 32(DX) \
	VMOVUPD Y8, 64(DX) \
	ADDQ $16, SI \
	ADDQ $96, DX

// ADD adds two sums and one.
#define ADD(two, PAIR, one, SINGLE) \
	VADDPD two, PAIR, PAIR \
	VMOVUPD PAIR, two \
	VADDSD one, SINGLE, SINGLE \
	VMOVSD SINGLE, one

// STOREROWS folds a tile with the products of the last elements and adds it to four rows
// of dst.
#define STOREROWS \
	FOLDS \
	JMP lasttest \
last: \
	LASTS \
	INCQ AX \
lasttest: \
	CMPQ AX, n+40(FP) \
	JLT last \
	LEAQ (DX)(SI*8), R12 \
	LEAQ (R12)(SI*8), R13 \
	LEAQ (R13)(SI*8), AX \
	VEXTRACTF128 $1, Y0, X1 \
	VUNPCKHPD X1, X1, X2 \
	VEXTRACTF128 $1, Y4, X3 \
	VEXTRACTF128 $1, Y8, X5 \
	VUNPCKHPD X8, X8, X6 \
	ADD(0(DX), X0, 16(DX), X1) \
	ADD(8(R12), X4, 0(R12), X2) \
	ADD(0(R13), X3, 16(R13), X8) \
	ADD(8(AX), X5, 0(AX), X6) \
	ADDQ $24, DX

// BEGIN points R8 to R11 to the rows of a, and R12, R13 and DI to those of b, of a tile.
#define BEGIN \
	MOVQ 0(SI), R8 \
	MOVQ 8(SI), R12 \
	IMULQ BX, R8 \
	IMULQ BX, R12 \
	SHLQ $3, R8 \
	SHLQ $3, R12 \
	ADDQ a+0(FP), R8 \
	ADDQ b+8(FP), R12 \
	LEAQ (R8)(BX*8), R9 \
	LEAQ (R9)(BX*8), R10 \
	LEAQ (R10)(BX*8), R11 \
	LEAQ (R12)(BX*8), R13 \
	LEAQ (R13)(BX*8), DI

// func dotsAVX2(a, b *float64, stride, n int, tiles *Tile, count int, dst *float64)
TEXT ·dotsAVX2(SB), NOSPLIT, $0-56
	MOVQ stride+16(FP), BX
	MOVQ n+24(FP), CX
	ANDQ $-4, CX
	MOVQ tiles+32(FP), SI
	MOVQ dst+48(FP), DX

dotstile:
	BEGIN
	CLEAR
	XORQ AX, AX
	JMP dotstest

dotsloop:
	ROWS
	ADDQ $4, AX

dotstest:
	CMPQ AX, CX
	JLT dotsloop
	STORE
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
	STOREROWS
	LEAQ (DI)(BX*8), R12
	DECQ count+48(FP)
	JNZ addtile
	VZEROUPPER
	RET
