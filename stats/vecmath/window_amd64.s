//go:build amd64 && !purego

#include "textflag.h"
#include "spread_amd64.h"

// WEIGHTS makes W0-W3 = a e^i c_i from a and e at off(SI); R8 holds the bell.
// Y12-Y15 are scratch; X11 holds 1.
#define WEIGHTS(off, W0, W1, W2, W3) \
	VBROADCASTSD off(SI), W0 \
	VMOVSD (off+8)(SI), X12 \
	VMULSD X12, X12, X13 \
	VMULSD X12, X13, X14 \
	VMULSD X13, X13, X15 \
	VUNPCKLPD X12, X11, X12 \
	VUNPCKLPD X14, X13, X13 \
	VINSERTF128 $1, X13, Y12, Y12 \
	VBROADCASTSD X15, Y15 \
	VMULPD Y12, W0, W0 \
	VMULPD Y15, W0, W1 \
	VMULPD Y15, W1, W2 \
	VMULPD Y15, W2, W3 \
	VMULPD (R8), W0, W0 \
	VMULPD 32(R8), W1, W1 \
	VMULPD 64(R8), W2, W2 \
	VMULPD 96(R8), W3, W3

// START finds the window, writes its row weights to the stack and leaves its
// column weights in Y4-Y7.
#define START \
	WEIGHTS(0, Y0, Y1, Y2, Y3) \
	WEIGHTS(16, Y4, Y5, Y6, Y7) \
	VMOVUPD Y0, 0(SP) \
	VMOVUPD Y1, 32(SP) \
	VMOVUPD Y2, 64(SP) \
	VMOVUPD Y3, 96(SP) \
	MOVQ (R11), AX \
	LEAQ (R9)(AX*8), AX \
	XORQ DX, DX

// READROW adds row DX of the window times its weight to S0-S3.
#define READROW(off, S0, S1, S2, S3) \
	VBROADCASTSD off(SP)(DX*8), Y0 \
	VFMADD231PD (AX), Y0, S0 \
	VFMADD231PD 32(AX), Y0, S1 \
	VFMADD231PD 64(AX), Y0, S2 \
	VFMADD231PD 96(AX), Y0, S3 \
	ADDQ BX, AX

// func readWindowsAVX2(dst, grid *float64, stride, n int, at *int, bells *float64, bell *Bell)
TEXT ·readWindowsAVX2(SB), NOSPLIT, $128-56
	MOVQ dst+0(FP), DI
	MOVQ grid+8(FP), R9
	MOVQ stride+16(FP), BX
	SHLQ $3, BX
	MOVQ n+24(FP), CX
	MOVQ at+32(FP), R11
	MOVQ bells+40(FP), SI
	MOVQ bell+48(FP), R8
	MOVQ $0x3ff0000000000000, R10

readwindow:
	VMOVQ R10, X11
	START
	VXORPD Y8, Y8, Y8
	VXORPD Y9, Y9, Y9
	VXORPD Y10, Y10, Y10
	VXORPD Y11, Y11, Y11
	VXORPD Y12, Y12, Y12
	VXORPD Y13, Y13, Y13
	VXORPD Y14, Y14, Y14
	VXORPD Y15, Y15, Y15

readrows:
	READROW(0, Y8, Y9, Y10, Y11)
	READROW(8, Y12, Y13, Y14, Y15)
	READROW(16, Y8, Y9, Y10, Y11)
	READROW(24, Y12, Y13, Y14, Y15)
	ADDQ $4, DX
	CMPQ DX, $16
	JLT readrows
	VADDPD Y12, Y8, Y8
	VADDPD Y13, Y9, Y9
	VADDPD Y14, Y10, Y10
	VADDPD Y15, Y11, Y11
	VMULPD Y4, Y8, Y8
	VFMADD231PD Y5, Y9, Y8
	VFMADD231PD Y6, Y10, Y8
	VFMADD231PD Y7, Y11, Y8
	VEXTRACTF128 $1, Y8, X9
	VADDPD X9, X8, X8
	VHADDPD X8, X8, X8
	VMOVSD X8, (DI)
	ADDQ $8, DI
	ADDQ $8, R11
	ADDQ $32, SI
	DECQ CX
	JNE readwindow
	VZEROUPPER
	RET

// func spreadWindowsAVX2(grid *float64, stride, n int, at *int, bells *float64, bell *Bell)
TEXT ·spreadWindowsAVX2(SB), NOSPLIT, $128-48
	MOVQ grid+0(FP), R9
	MOVQ stride+8(FP), BX
	SHLQ $3, BX
	MOVQ n+16(FP), CX
	MOVQ at+24(FP), R11
	MOVQ bells+32(FP), SI
	MOVQ bell+40(FP), R8
	MOVQ $0x3ff0000000000000, R10
	VMOVQ R10, X11

spreadwindow:
	START

spreadrows:
	ADDROW(0(SP)(DX*8))
	ADDROW(8(SP)(DX*8))
	ADDROW(16(SP)(DX*8))
	ADDROW(24(SP)(DX*8))
	ADDQ $4, DX
	CMPQ DX, $16
	JLT spreadrows
	ADDQ $8, R11
	ADDQ $32, SI
	DECQ CX
	JNE spreadwindow
	VZEROUPPER
	RET
