//go:build amd64 && !purego

#include "textflag.h"

// TAKE subtracts the product of U's element in Y12 and four elements of its row.
#define TAKE(off, ACC, T) \
	VMULPD off(R9), Y12, T \
	VSUBPD T, ACC, ACC

// NEXT goes to the next row of U.
#define NEXT \
	ADDQ BX, R8 \
	ADDQ BX, R9 \
	DECQ CX

// PUT scales four elements of row j and stores them.
#define PUT(off, ACC) \
	VMULPD Y15, ACC, ACC \
	VMOVUPD ACC, off(R10)

// func choleskyRowAVX2(a *float64, j, n, stride int, inverse float64)
TEXT ·choleskyRowAVX2(SB), NOSPLIT, $0-40
	MOVQ a+0(FP), DI
	MOVQ j+8(FP), SI
	MOVQ n+16(FP), DX
	MOVQ stride+24(FP), BX
	VBROADCASTSD inverse+32(FP), Y15
	SHLQ $3, BX
	MOVQ SI, R10
	IMULQ BX, R10
	ADDQ DI, R10 // row j
	LEAQ (DI)(SI*8), R11 // column j
	LEAQ 1(SI), AX
	ANDQ $-8, AX // its first vectors may reach below the diagonal
	SUBQ AX, DX // columns
	LEAQ (R10)(AX*8), R10
	LEAQ (DI)(AX*8), DI // row 0

wide:
	MOVQ R11, R8
	MOVQ DI, R9
	MOVQ SI, CX
	CMPQ DX, $8
	JLT done
	JEQ one
	CMPQ DX, $24
	JLT two
	JEQ three
	VMOVUPD 0(R10), Y0
	VMOVUPD 32(R10), Y1
	VMOVUPD 64(R10), Y2
	VMOVUPD 96(R10), Y3
	VMOVUPD 128(R10), Y4
	VMOVUPD 160(R10), Y5
	VMOVUPD 192(R10), Y6
	VMOVUPD 224(R10), Y7
	TESTQ CX, CX
	JEQ fourput

fourloop:
	VBROADCASTSD (R8), Y12
	TAKE(0, Y0, Y8)
	TAKE(32, Y1, Y9)
	TAKE(64, Y2, Y10)
	TAKE(96, Y3, Y11)
	TAKE(128, Y4, Y8)
	TAKE(160, Y5, Y9)
	TAKE(192, Y6, Y10)
	TAKE(224, Y7, Y11)
	NEXT
	JNZ fourloop

fourput:
	PUT(0, Y0)
	PUT(32, Y1)
	PUT(64, Y2)
	PUT(96, Y3)
	PUT(128, Y4)
	PUT(160, Y5)
	PUT(192, Y6)
	PUT(224, Y7)
	ADDQ $256, R10
	ADDQ $256, DI
	SUBQ $32, DX
	JMP wide

three:
	VMOVUPD 0(R10), Y0
	VMOVUPD 32(R10), Y1
	VMOVUPD 64(R10), Y2
	VMOVUPD 96(R10), Y3
	VMOVUPD 128(R10), Y4
	VMOVUPD 160(R10), Y5
	TESTQ CX, CX
	JEQ threeput

threeloop:
	VBROADCASTSD (R8), Y12
	TAKE(0, Y0, Y8)
	TAKE(32, Y1, Y9)
	TAKE(64, Y2, Y10)
	TAKE(96, Y3, Y11)
	TAKE(128, Y4, Y8)
	TAKE(160, Y5, Y9)
	NEXT
	JNZ threeloop

threeput:
	PUT(0, Y0)
	PUT(32, Y1)
	PUT(64, Y2)
	PUT(96, Y3)
	PUT(128, Y4)
	PUT(160, Y5)
	JMP done

two:
	VMOVUPD 0(R10), Y0
	VMOVUPD 32(R10), Y1
	VMOVUPD 64(R10), Y2
	VMOVUPD 96(R10), Y3
	TESTQ CX, CX
	JEQ twoput

twoloop:
	VBROADCASTSD (R8), Y12
	TAKE(0, Y0, Y8)
	TAKE(32, Y1, Y9)
	TAKE(64, Y2, Y10)
	TAKE(96, Y3, Y11)
	NEXT
	JNZ twoloop

twoput:
	PUT(0, Y0)
	PUT(32, Y1)
	PUT(64, Y2)
	PUT(96, Y3)
	JMP done

one:
	VMOVUPD 0(R10), Y0
	VMOVUPD 32(R10), Y1
	TESTQ CX, CX
	JEQ oneput

oneloop:
	VBROADCASTSD (R8), Y12
	TAKE(0, Y0, Y8)
	TAKE(32, Y1, Y9)
	NEXT
	JNZ oneloop

oneput:
	PUT(0, Y0)
	PUT(32, Y1)

done:
	VZEROUPPER
	RET
