//go:build amd64 && !purego

#include "textflag.h"

DATA one<>+0(SB)/8, $1.0
GLOBL one<>(SB), RODATA|NOPTR, $8

// BUMP sets B = max(0, 1 - U P), with 1 in ONE and 0 in ZERO.
#define BUMP(U, P, B, ONE, ZERO) \
	VMOVAPD ONE, B \
	VFNMADD231PD P, U, B \
	VMAXPD ZERO, B, B

// ARGUMENTS loads those of bumpsAVX512 and bumpsAVX2; R10 is row i of the columns.
#define ARGUMENTS \
	MOVQ sums+0(FP), R8 \
	MOVQ y+8(FP), SI \
	MOVQ x+16(FP), DI \
	MOVQ stride+24(FP), BX \
	SHLQ $3, BX \
	LEAQ (R8)(BX*1), R9 \
	MOVQ count+32(FP), R12 \
	MOVQ i+40(FP), AX \
	LEAQ (SI)(AX*8), R11 \
	LEAQ (DI)(AX*8), R10 \
	INCQ AX \
	ANDQ $-8, AX \
	MOVQ last+56(FP), CX \
	MOVQ edges+64(FP), R13 \
	MOVQ b+72(FP), DX

// COLUMNS starts a loop over the columns, COLUMN takes the distances at OFFSET
// in one of them, with row i's in V, into D, and NEXT goes on to the next.
#define COLUMNS(DONE) \
	XORQ R11, R11 \
	MOVQ R12, R13 \
	TESTQ R13, R13 \
	JZ DONE
#define COLUMN(OFFSET, V, U, D) \
	VMOVUPD OFFSET(R14)(AX*8), U \
	VSUBPD V, U, U \
	VFMADD231PD U, U, D
#define NEXT(LOOP) \
	ADDQ BX, R11 \
	DECQ R13 \
	JNZ LOOP

// FACTORS sets A to the squared differences of y at OFFSET from AT, C to the kernel
// with Q of the distances D.
#define FACTORS(OFFSET, AT, Q, ONE, ZERO, D, A, C) \
	VMOVUPD OFFSET(SI)(AX*8), A \
	VSUBPD AT, A, A \
	VMULPD A, A, A \
	BUMP(D, Q, C, ONE, ZERO)

// PRODUCTS adds the kernel with P of A, times C, to the sums at OFFSET of S and to
// the lanes L; B and D are scratch.
#define PRODUCTS(OFFSET, S, P, ONE, ZERO, A, B, C, D, L) \
	BUMP(A, P, B, ONE, ZERO) \
	VMOVUPD OFFSET(S)(AX*8), D \
	VFMADD231PD B, C, D \
	VMOVUPD D, OFFSET(S)(AX*8) \
	VFMADD231PD B, C, L

// BUMPARGUMENTS loads those of bumpAVX512 and bumpAVX2; R10 is row i of the columns.
#define BUMPARGUMENTS \
	MOVQ sums+0(FP), R8 \
	MOVQ x+8(FP), DI \
	MOVQ stride+16(FP), BX \
	SHLQ $3, BX \
	MOVQ count+24(FP), R12 \
	MOVQ i+32(FP), AX \
	LEAQ (DI)(AX*8), R10 \
	INCQ AX \
	ANDQ $-8, AX \
	MOVQ last+40(FP), CX \
	MOVQ edges+48(FP), SI \
	MOVQ lanes+64(FP), DX

// KERNELS adds the kernels of the distances D to the sums at OFFSET and to the
// lanes L; B is scratch.
#define KERNELS(OFFSET, Q, ONE, ZERO, D, B, L) \
	BUMP(D, Q, B, ONE, ZERO) \
	VADDPD OFFSET(R8)(AX*8), B, D \
	VMOVUPD D, OFFSET(R8)(AX*8) \
	VADDPD B, L, L

// func bumpsAVX512(sums, y, x *float64, stride, count, i, near, last int, edges *float64, b *Bumps)
TEXT ·bumpsAVX512(SB), NOSPLIT, $0-80
	ARGUMENTS
	VBROADCASTSD (R11), Z4
	VBROADCASTSD 0(DX), Z5
	VBROADCASTSD 8(DX), Z6
	VBROADCASTSD 16(DX), Z7
	VMOVUPD (R13), Z16
	VBROADCASTSD one<>(SB), Z9
	VPXORQ Z10, Z10, Z10
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1

bumps512two:
	LEAQ 8(AX), R13
	CMPQ R13, CX
	JGE bumps512one
	VPXORQ Z17, Z17, Z17
	COLUMNS(bumps512done)

bumps512column:
	VBROADCASTSD (R10)(R11*1), Z11
	LEAQ (DI)(R11*1), R14
	COLUMN(0, Z11, Z12, Z16)
	COLUMN(64, Z11, Z13, Z17)
	NEXT(bumps512column)

bumps512done:
	FACTORS(0, Z4, Z7, Z9, Z10, Z16, Z12, Z14)
	FACTORS(64, Z4, Z7, Z9, Z10, Z17, Z18, Z20)
	PRODUCTS(0, R9, Z6, Z9, Z10, Z12, Z13, Z14, Z16, Z1)
	PRODUCTS(64, R9, Z6, Z9, Z10, Z18, Z19, Z20, Z17, Z1)
	CMPQ AX, near+48(FP)
	JGE bumps512wide
	PRODUCTS(0, R8, Z5, Z9, Z10, Z12, Z13, Z14, Z16, Z0)
	PRODUCTS(64, R8, Z5, Z9, Z10, Z18, Z19, Z20, Z17, Z0)

bumps512wide:
	VPXORQ Z16, Z16, Z16
	ADDQ $16, AX
	JMP bumps512two

bumps512one:
	CMPQ AX, CX
	JLT bumps512inner
	MOVQ edges+64(FP), R13
	VMOVUPD 64(R13), Z16

bumps512inner:
	COLUMNS(bumps512onedone)

bumps512onecolumn:
	VBROADCASTSD (R10)(R11*1), Z11
	LEAQ (DI)(R11*1), R14
	COLUMN(0, Z11, Z12, Z16)
	NEXT(bumps512onecolumn)

bumps512onedone:
	FACTORS(0, Z4, Z7, Z9, Z10, Z16, Z12, Z14)
	PRODUCTS(0, R9, Z6, Z9, Z10, Z12, Z13, Z14, Z16, Z1)
	PRODUCTS(0, R8, Z5, Z9, Z10, Z12, Z13, Z14, Z16, Z0)
	VPXORQ Z16, Z16, Z16
	ADDQ $8, AX
	CMPQ AX, CX
	JLE bumps512one
	VMOVUPD Z0, 24(DX)
	VMOVUPD Z1, 88(DX)
	VZEROUPPER
	RET

// func bumpsAVX2(sums, y, x *float64, stride, count, i, near, last int, edges *float64, b *Bumps)
TEXT ·bumpsAVX2(SB), NOSPLIT, $0-80
	ARGUMENTS
	VBROADCASTSD (R11), Y4
	VBROADCASTSD 0(DX), Y5
	VBROADCASTSD 8(DX), Y6
	VBROADCASTSD 16(DX), Y7
	VMOVUPD (R13), Y14
	VMOVUPD 32(R13), Y15
	VBROADCASTSD one<>(SB), Y9
	VXORPD Y10, Y10, Y10
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3

bumps256:
	CMPQ AX, CX
	JLT bumps256inner
	MOVQ edges+64(FP), R13
	VMOVUPD 64(R13), Y14
	VMOVUPD 96(R13), Y15

bumps256inner:
	COLUMNS(bumps256done)

bumps256column:
	VBROADCASTSD (R10)(R11*1), Y11
	LEAQ (DI)(R11*1), R14
	COLUMN(0, Y11, Y12, Y14)
	COLUMN(32, Y11, Y13, Y15)
	NEXT(bumps256column)

bumps256done:
	FACTORS(0, Y4, Y7, Y9, Y10, Y14, Y11, Y13)
	PRODUCTS(0, R9, Y6, Y9, Y10, Y11, Y12, Y13, Y14, Y1)
	FACTORS(32, Y4, Y7, Y9, Y10, Y15, Y8, Y14)
	PRODUCTS(32, R9, Y6, Y9, Y10, Y8, Y12, Y14, Y15, Y3)
	CMPQ AX, near+48(FP)
	JGE bumps256wide
	PRODUCTS(0, R8, Y5, Y9, Y10, Y11, Y12, Y13, Y15, Y0)
	PRODUCTS(32, R8, Y5, Y9, Y10, Y8, Y12, Y14, Y15, Y2)

bumps256wide:
	VXORPD Y14, Y14, Y14
	VXORPD Y15, Y15, Y15
	ADDQ $8, AX
	CMPQ AX, CX
	JLE bumps256
	VMOVUPD Y0, 24(DX)
	VMOVUPD Y2, 56(DX)
	VMOVUPD Y1, 88(DX)
	VMOVUPD Y3, 120(DX)
	VZEROUPPER
	RET

// func bumpAVX512(sums, x *float64, stride, count, i, last int, edges *float64, q float64, lanes *[8]float64)
TEXT ·bumpAVX512(SB), NOSPLIT, $0-72
	BUMPARGUMENTS
	VBROADCASTSD q+56(FP), Z7
	VMOVUPD (SI), Z16
	VBROADCASTSD one<>(SB), Z9
	VPXORQ Z10, Z10, Z10
	VPXORQ Z0, Z0, Z0

bump512two:
	LEAQ 8(AX), R13
	CMPQ R13, CX
	JGE bump512one
	VPXORQ Z17, Z17, Z17
	COLUMNS(bump512done)

bump512column:
	VBROADCASTSD (R10)(R11*1), Z11
	LEAQ (DI)(R11*1), R14
	COLUMN(0, Z11, Z12, Z16)
	COLUMN(64, Z11, Z13, Z17)
	NEXT(bump512column)

bump512done:
	KERNELS(0, Z7, Z9, Z10, Z16, Z12, Z0)
	KERNELS(64, Z7, Z9, Z10, Z17, Z13, Z0)
	VPXORQ Z16, Z16, Z16
	ADDQ $16, AX
	JMP bump512two

bump512one:
	CMPQ AX, CX
	JLT bump512inner
	VMOVUPD 64(SI), Z16

bump512inner:
	COLUMNS(bump512onedone)

bump512onecolumn:
	VBROADCASTSD (R10)(R11*1), Z11
	LEAQ (DI)(R11*1), R14
	COLUMN(0, Z11, Z12, Z16)
	NEXT(bump512onecolumn)

bump512onedone:
	KERNELS(0, Z7, Z9, Z10, Z16, Z12, Z0)
	VPXORQ Z16, Z16, Z16
	ADDQ $8, AX
	CMPQ AX, CX
	JLE bump512one
	VMOVUPD Z0, (DX)
	VZEROUPPER
	RET

// func bumpAVX2(sums, x *float64, stride, count, i, last int, edges *float64, q float64, lanes *[8]float64)
TEXT ·bumpAVX2(SB), NOSPLIT, $0-72
	BUMPARGUMENTS
	VBROADCASTSD q+56(FP), Y7
	VMOVUPD (SI), Y14
	VMOVUPD 32(SI), Y15
	VBROADCASTSD one<>(SB), Y9
	VXORPD Y10, Y10, Y10
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1

bump256:
	CMPQ AX, CX
	JLT bump256inner
	VMOVUPD 64(SI), Y14
	VMOVUPD 96(SI), Y15

bump256inner:
	COLUMNS(bump256done)

bump256column:
	VBROADCASTSD (R10)(R11*1), Y11
	LEAQ (DI)(R11*1), R14
	COLUMN(0, Y11, Y12, Y14)
	COLUMN(32, Y11, Y13, Y15)
	NEXT(bump256column)

bump256done:
	KERNELS(0, Y7, Y9, Y10, Y14, Y12, Y0)
	KERNELS(32, Y7, Y9, Y10, Y15, Y13, Y1)
	VXORPD Y14, Y14, Y14
	VXORPD Y15, Y15, Y15
	ADDQ $8, AX
	CMPQ AX, CX
	JLE bump256
	VMOVUPD Y0, (DX)
	VMOVUPD Y1, 32(DX)
	VZEROUPPER
	RET
