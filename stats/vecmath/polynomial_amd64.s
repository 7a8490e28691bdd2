//go:build amd64 && !purego

#include "textflag.h"

// func polynomialFMA(c *float64, n int, x float64) float64
TEXT ·polynomialFMA(SB), NOSPLIT, $0-32
	MOVQ c+0(FP), SI
	MOVQ n+8(FP), CX
	VMOVDDUP x+16(FP), X1
	VMULPD X1, X1, X2
	LEAQ -16(SI)(CX*8), DI
	VMOVUPD (DI), X0 // even, odd

pair:
	SUBQ $16, DI
	VFMADD213PD (DI), X2, X0
	CMPQ DI, SI
	JHI pair

	VUNPCKHPD X0, X0, X3
	VFMADD213SD X0, X1, X3
	VMOVSD X3, ret+24(FP)
	RET

// START sets X to the number at k of x twice, Q to its square, C to the polynomial's
// coefficients and A to the last two of them, of even and odd power.
#define START(k, X, Q, C, A) \
	VMOVDDUP (8*k)(BX), X \
	VMULPD X, X, Q \
	MOVLQSX (4*k)(DX), C \
	LEAQ (SI)(C*8), C \
	VMOVUPD (C)(AX*1), A

// FINISH writes even + odd x to k of dst.
#define FINISH(k, X, A, B) \
	VUNPCKHPD A, A, B \
	VFMADD213SD A, X, B \
	VMOVSD B, (8*k)(DI)

// func polynomialsFMA(dst, c *float64, at *int32, x *float64, n, terms int)
TEXT ·polynomialsFMA(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ c+8(FP), SI
	MOVQ at+16(FP), DX
	MOVQ x+24(FP), BX
	MOVQ n+32(FP), CX
	MOVQ terms+40(FP), R12
	LEAQ -16(R12*8), R12

fourpolynomials:
	MOVQ R12, AX
	START(0, X0, X4, R8, X8)
	START(1, X1, X5, R9, X9)
	START(2, X2, X6, R10, X10)
	START(3, X3, X7, R11, X11)

fourpairs:
	SUBQ $16, AX
	VFMADD213PD (R8)(AX*1), X4, X8
	VFMADD213PD (R9)(AX*1), X5, X9
	VFMADD213PD (R10)(AX*1), X6, X10
	VFMADD213PD (R11)(AX*1), X7, X11
	JNZ fourpairs

	FINISH(0, X0, X8, X12)
	FINISH(1, X1, X9, X13)
	FINISH(2, X2, X10, X14)
	FINISH(3, X3, X11, X15)
	ADDQ $32, DI
	ADDQ $16, DX
	ADDQ $32, BX
	SUBQ $4, CX
	JNZ fourpolynomials
	RET
