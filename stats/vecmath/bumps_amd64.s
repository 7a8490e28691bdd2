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
	MOVQ last+48(FP), CX \
	MOVQ edges+56(FP), R13 \
	MOVQ b+64(FP), DX

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

// ELEMENTS takes those at OFFSET with the distances D to the sums and the lanes
// L0 and L1; AT, P0, P1, Q, ONE and ZERO are constants, A, B and C scratch.
#define ELEMENTS(OFFSET, AT, P0, P1, Q, ONE, ZERO, D, A, B, C, L0, L1) \
	VMOVUPD OFFSET(SI)(AX*8), A \
	VSUBPD AT, A, A \
	VMULPD A, A, A \
	BUMP(D, Q, C, ONE, ZERO) \
	BUMP(A, P0, B, ONE, ZERO) \
	VMOVUPD OFFSET(R8)(AX*8), D \
	VFMADD231PD B, C, D \
	VMOVUPD D, OFFSET(R8)(AX*8) \
	VFMADD231PD B, C, L0 \
	BUMP(A, P1, B, ONE, ZERO) \
	VMOVUPD OFFSET(R9)(AX*8), D \
	VFMADD231PD B, C, D \
	VMOVUPD D, OFFSET(R9)(AX*8) \
	VFMADD231PD B, C, L1

// func bumpsAVX512(sums, y, x *float64, stride, count, i, last int, edges *float64, b *Bumps)
TEXT ·bumpsAVX512(SB), NOSPLIT, $0-72
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
	ELEMENTS(0, Z4, Z5, Z6, Z7, Z9, Z10, Z16, Z12, Z13, Z14, Z0, Z1)
	ELEMENTS(64, Z4, Z5, Z6, Z7, Z9, Z10, Z17, Z18, Z19, Z20, Z0, Z1)
	VPXORQ Z16, Z16, Z16
	ADDQ $16, AX
	JMP bumps512two

bumps512one:
	CMPQ AX, CX
	JLT bumps512inner
	MOVQ edges+56(FP), R13
	VMOVUPD 64(R13), Z16

bumps512inner:
	COLUMNS(bumps512onedone)

bumps512onecolumn:
	VBROADCASTSD (R10)(R11*1), Z11
	LEAQ (DI)(R11*1), R14
	COLUMN(0, Z11, Z12, Z16)
	NEXT(bumps512onecolumn)

bumps512onedone:
	ELEMENTS(0, Z4, Z5, Z6, Z7, Z9, Z10, Z16, Z12, Z13, Z14, Z0, Z1)

	VPXORQ Z16, Z16, Z16
	ADDQ $8, AX
	CMPQ AX, CX
	JLE bumps512one
	VMOVUPD Z0, 24(DX)
	VMOVUPD Z1, 88(DX)
	VZEROUPPER
	RET

// func bumpsAVX2(sums, y, x *float64, stride, count, i, last int, edges *float64, b *Bumps)
TEXT ·bumpsAVX2(SB), NOSPLIT, $0-72
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
	MOVQ edges+56(FP), R13
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
	ELEMENTS(0, Y4, Y5, Y6, Y7, Y9, Y10, Y14, Y11, Y12, Y13, Y0, Y1)
	ELEMENTS(32, Y4, Y5, Y6, Y7, Y9, Y10, Y15, Y11, Y12, Y13, Y2, Y3)
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

// func addBumpAVX512(sum, d *float64, n int, q float64, lanes *[8]float64)
TEXT ·addBumpAVX512(SB), NOSPLIT, $0-40
	MOVQ sum+0(FP), R8
	MOVQ d+8(FP), DI
	MOVQ n+16(FP), CX
	VBROADCASTSD q+24(FP), Z5
	MOVQ lanes+32(FP), DX
	VBROADCASTSD one<>(SB), Z9
	VPXORQ Z10, Z10, Z10
	VPXORQ Z0, Z0, Z0
	XORQ AX, AX

addbump512:
	VMOVUPD (DI)(AX*8), Z11
	BUMP(Z11, Z5, Z12, Z9, Z10)
	VADDPD (R8)(AX*8), Z12, Z13
	VMOVUPD Z13, (R8)(AX*8)
	VADDPD Z12, Z0, Z0
	ADDQ $8, AX
	CMPQ AX, CX
	JLT addbump512
	VMOVUPD Z0, (DX)
	VZEROUPPER
	RET

// func addBumpAVX2(sum, d *float64, n int, q float64, lanes *[8]float64)
TEXT ·addBumpAVX2(SB), NOSPLIT, $0-40
	MOVQ sum+0(FP), R8
	MOVQ d+8(FP), DI
	MOVQ n+16(FP), CX
	VBROADCASTSD q+24(FP), Y5
	MOVQ lanes+32(FP), DX
	VBROADCASTSD one<>(SB), Y9
	VXORPD Y10, Y10, Y10
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	XORQ AX, AX

addbump256:
	VMOVUPD (DI)(AX*8), Y11
	BUMP(Y11, Y5, Y12, Y9, Y10)
	VADDPD (R8)(AX*8), Y12, Y13
	VMOVUPD Y13, (R8)(AX*8)
	VADDPD Y12, Y0, Y0
	VMOVUPD 32(DI)(AX*8), Y11
	BUMP(Y11, Y5, Y12, Y9, Y10)
	VADDPD 32(R8)(AX*8), Y12, Y13
	VMOVUPD Y13, 32(R8)(AX*8)
	VADDPD Y12, Y1, Y1
	ADDQ $8, AX
	CMPQ AX, CX
	JLT addbump256
	VMOVUPD Y0, (DX)
	VMOVUPD Y1, 32(DX)
	VZEROUPPER
	RET

// func distancesAVX512(d *float64, n int, x *float64, stride, count int)
TEXT ·distancesAVX512(SB), NOSPLIT, $0-40
	MOVQ d+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ x+16(FP), SI
	MOVQ stride+24(FP), BX
	MOVQ count+32(FP), DX
	XORQ AX, AX

distances512:
	VPXORQ Z0, Z0, Z0
	MOVQ SI, R8
	MOVQ DX, R9

distances512column:
	VBROADCASTSD (R8), Z4
	VMOVUPD 8(R8)(AX*8), Z1
	VSUBPD Z4, Z1, Z1
	VFMADD231PD Z1, Z1, Z0
	LEAQ (R8)(BX*8), R8
	DECQ R9
	JNZ distances512column
	VMOVUPD Z0, (DI)(AX*8)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT distances512
	VZEROUPPER
	RET

// func distancesAVX2(d *float64, n int, x *float64, stride, count int)
TEXT ·distancesAVX2(SB), NOSPLIT, $0-40
	MOVQ d+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ x+16(FP), SI
	MOVQ stride+24(FP), BX
	MOVQ count+32(FP), DX
	XORQ AX, AX

distances256:
	VPXOR Y0, Y0, Y0
	MOVQ SI, R8
	MOVQ DX, R9

distances256column:
	VBROADCASTSD (R8), Y4
	VMOVUPD 8(R8)(AX*8), Y1
	VSUBPD Y4, Y1, Y1
	VFMADD231PD Y1, Y1, Y0
	LEAQ (R8)(BX*8), R8
	DECQ R9
	JNZ distances256column
	VMOVUPD Y0, (DI)(AX*8)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT distances256
	VZEROUPPER
	RET
