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
#define STORE(FOLDS, last, lasttest) \
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
#define STOREROWS(FOLDS, last, lasttest) \
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

// With AVX-512 a register holds the lanes of two rows of a, and two tiles of the same rows
// of a are made at a time: with one, six sums, each waits for its last addition. The sums
// of the first are in Z0 to Z5, rows 0 and 1 before rows 2 and 3, those of the second in
// Z16 to Z21; FOLDPAIR folds the first, and SECOND makes the second the first.
#define CLEARPAIR \
	VPXORQ Z0, Z0, Z0 \
	VPXORQ Z1, Z1, Z1 \
	VPXORQ Z2, Z2, Z2 \
	VPXORQ Z3, Z3, Z3 \
	VPXORQ Z4, Z4, Z4 \
	VPXORQ Z5, Z5, Z5 \
	VPXORQ Z16, Z16, Z16 \
	VPXORQ Z17, Z17, Z17 \
	VPXORQ Z18, Z18, Z18 \
	VPXORQ Z19, Z19, Z19 \
	VPXORQ Z20, Z20, Z20 \
	VPXORQ Z21, Z21, Z21

// COLUMN multiplies four elements of a row of b with those of all rows of a.
#define COLUMN(B, S, T) \
	VBROADCASTF64X4 (B)(AX*8), Z26 \
	VFMADD231PD Z24, Z26, S \
	VFMADD231PD Z25, Z26, T

#define ROWSPAIR \
	VBROADCASTF64X4 (R8)(AX*8), Z24 \
	VBROADCASTF64X4 (R9)(AX*8), K1, Z24 \
	VBROADCASTF64X4 (R10)(AX*8), Z25 \
	VBROADCASTF64X4 (R11)(AX*8), K1, Z25 \
	COLUMN(R12, Z0, Z3) \
	COLUMN(R13, Z1, Z4) \
	COLUMN(DI, Z2, Z5) \
	COLUMN(R14, Z16, Z19) \
	COLUMN(R15, Z17, Z20) \
	COLUMN(BX, Z18, Z21)

#define UPPER \
	MOVQ $0xF0, AX \
	KMOVW AX, K1

#define FOLDPAIR \
	VMOVAPD Y3, Y6 \
	VMOVAPD Y4, Y7 \
	VMOVAPD Y5, Y8 \
	VEXTRACTF64X4 $1, Z3, Y9 \
	VEXTRACTF64X4 $1, Z4, Y10 \
	VEXTRACTF64X4 $1, Z5, Y11 \
	VEXTRACTF64X4 $1, Z0, Y3 \
	VEXTRACTF64X4 $1, Z1, Y4 \
	VEXTRACTF64X4 $1, Z2, Y5 \
	FOLDS

#define SECOND \
	VMOVAPD Z16, Z0 \
	VMOVAPD Z17, Z1 \
	VMOVAPD Z18, Z2 \
	VMOVAPD Z19, Z3 \
	VMOVAPD Z20, Z4 \
	VMOVAPD Z21, Z5 \
	MOVQ R14, R12 \
	MOVQ R15, R13 \
	MOVQ BX, DI \
	MOVQ CX, AX

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
	STORE(FOLDS, dotslast, dotslasttest)
	DECQ count+40(FP)
	JNZ dotstile
	VZEROUPPER
	RET

// func dotsAVX512(a, b *float64, stride, n int, tiles *Tile, pairs int, dst *float64)
TEXT ·dotsAVX512(SB), NOSPLIT, $0-56
	MOVQ n+24(FP), CX
	ANDQ $-4, CX
	MOVQ tiles+32(FP), SI
	MOVQ dst+48(FP), DX
	UPPER

dotspair:
	MOVQ stride+16(FP), BX
	BEGIN
	MOVQ 24(SI), R14
	IMULQ BX, R14
	SHLQ $3, R14
	ADDQ b+8(FP), R14
	LEAQ (R14)(BX*8), R15
	LEAQ (R15)(BX*8), BX
	CLEARPAIR
	XORQ AX, AX
	JMP dotspairtest

dotspairloop:
	ROWSPAIR
	ADDQ $4, AX

dotspairtest:
	CMPQ AX, CX
	JLT dotspairloop
	STORE(FOLDPAIR, dotsfirst, dotsfirsttest)
	SECOND
	STORE(FOLDPAIR, dotssecond, dotssecondtest)
	DECQ pairs+40(FP)
	JNZ dotspair
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
	STOREROWS(FOLDS, addlast, addlasttest)
	LEAQ (DI)(BX*8), R12
	DECQ count+48(FP)
	JNZ addtile
	VZEROUPPER
	RET

// func addTilesAVX512(dst *float64, m int, a, b *float64, stride, n, pairs int)
TEXT ·addTilesAVX512(SB), NOSPLIT, $0-56
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
	UPPER

addpair:
	LEAQ (R12)(BX*8), R13
	LEAQ (R13)(BX*8), DI
	LEAQ (DI)(BX*8), R14
	LEAQ (R14)(BX*8), R15
	LEAQ (R15)(BX*8), BX
	CLEARPAIR
	XORQ AX, AX
	JMP addpairtest

addpairloop:
	ROWSPAIR
	ADDQ $4, AX

addpairtest:
	CMPQ AX, CX
	JLT addpairloop
	STOREROWS(FOLDPAIR, addfirst, addfirsttest)
	SECOND
	STOREROWS(FOLDPAIR, addsecond, addsecondtest)
	MOVQ stride+32(FP), BX
	LEAQ (DI)(BX*8), R12
	DECQ pairs+48(FP)
	JNZ addpair
	VZEROUPPER
	RET
