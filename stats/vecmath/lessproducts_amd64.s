//go:build amd64 && !purego

#include "textflag.h"

// PAIR adds the products of two elements of a row to its sums S.
#define PAIR(ROW, S, T) \
	VMULPD ROW, X8, T \
	VADDPD T, S, S

// SINGLES adds the products of the last elements of two rows to their sums in S.
#define SINGLES(ROW, ROW2, S) \
	VMOVSD ROW, X9 \
	VMOVHPD ROW2, X9, X9 \
	VMULPD X9, X8, X9 \
	VADDPD X9, S, S

// TAKEN subtracts the products of two rows from f.
#define TAKEN(off, S) \
	VMOVUPD off(DI), X9 \
	VSUBPD S, X9, X9 \
	VMOVUPD X9, off(DI)

// func lessProductsAVX2(f, x *float64, rows, stride int, w *float64, n int)
TEXT ·lessProductsAVX2(SB), NOSPLIT, $0-48
	MOVQ f+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ rows+16(FP), DX
	MOVQ stride+24(FP), BX
	MOVQ n+40(FP), CX
	ANDQ $-2, CX
	SHLQ $3, BX
	LEAQ (BX)(BX*2), R10

lessrows:
	MOVQ SI, R8 // rows 0 to 3
	LEAQ (SI)(BX*4), R9 // rows 4 to 7
	LEAQ (SI)(BX*8), SI
	MOVQ w+32(FP), R11
	VXORPD X0, X0, X0
	VXORPD X1, X1, X1
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3
	VXORPD X4, X4, X4
	VXORPD X5, X5, X5
	VXORPD X6, X6, X6
	VXORPD X7, X7, X7
	MOVQ CX, AX
	TESTQ AX, AX
	JEQ lessadd

lesspair:
	VMOVUPD (R11), X8
	PAIR((R8), X0, X9)
	PAIR((R8)(BX*1), X1, X10)
	PAIR((R8)(BX*2), X2, X11)
	PAIR((R8)(R10*1), X3, X12)
	PAIR((R9), X4, X9)
	PAIR((R9)(BX*1), X5, X10)
	PAIR((R9)(BX*2), X6, X11)
	PAIR((R9)(R10*1), X7, X12)
	ADDQ $16, R8
	ADDQ $16, R9
	ADDQ $16, R11
	SUBQ $2, AX
	JNE lesspair

lessadd:
	VHADDPD X1, X0, X0
	VHADDPD X3, X2, X2
	VHADDPD X5, X4, X4
	VHADDPD X7, X6, X6
	CMPQ CX, n+40(FP)
	JEQ lesstake
	VMOVDDUP (R11), X8
	SINGLES((R8), (R8)(BX*1), X0)
	SINGLES((R8)(BX*2), (R8)(R10*1), X2)
	SINGLES((R9), (R9)(BX*1), X4)
	SINGLES((R9)(BX*2), (R9)(R10*1), X6)

lesstake:
	TAKEN(0, X0)
	TAKEN(16, X2)
	TAKEN(32, X4)
	TAKEN(48, X6)
	ADDQ $64, DI
	SUBQ $8, DX
	JNE lessrows
	RET
