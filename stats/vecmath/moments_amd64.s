//go:build amd64 && !purego

#include "textflag.h"

// STEP adds the running product w v^k in Y10 to M and multiplies it by v (Y11).
#define STEP(M) \
	VADDPD Y10, M, M \
	VMULPD Y11, Y10, Y10

// func momentsAVX2(w, v *float64, n int, lanes *[10][4]float64)
TEXT ·momentsAVX2(SB), NOSPLIT, $0-32
	MOVQ w+0(FP), DI
	MOVQ v+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ lanes+24(FP), DX
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

momentsloop:
	VMOVUPD (DI), Y10
	VMOVUPD (SI), Y11
	STEP(Y0)
	STEP(Y1)
	STEP(Y2)
	STEP(Y3)
	STEP(Y4)
	STEP(Y5)
	STEP(Y6)
	STEP(Y7)
	STEP(Y8)
	STEP(Y9)
	VMOVUPD Y10, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	SUBQ $4, CX
	JNE momentsloop
	VMOVUPD Y0, 0(DX)
	VMOVUPD Y1, 32(DX)
	VMOVUPD Y2, 64(DX)
	VMOVUPD Y3, 96(DX)
	VMOVUPD Y4, 128(DX)
	VMOVUPD Y5, 160(DX)
	VMOVUPD Y6, 192(DX)
	VMOVUPD Y7, 224(DX)
	VMOVUPD Y8, 256(DX)
	VMOVUPD Y9, 288(DX)
	VZEROUPPER
	RET
