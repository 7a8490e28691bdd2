//go:build amd64 && !purego

#include "textflag.h"

DATA absolute<>+0(SB)/8, $0x7fffffffffffffff
GLOBL absolute<>(SB), RODATA|NOPTR, $8

// CLEARS sets the lanes of T of the four elements that clear the bar. Predicate
// 0x12 is <=, 0x1e is >, both false for NaN.
#define CLEARS(off, S, C, T) \
	VADDPD off(R9)(AX*8), Y11, C \
	VMOVUPD off(R10)(AX*8), S \
	VADDPD S, S, S \
	VSUBPD S, C, C \
	VCMPPD $0x12, Y9, C, T \
	VBLENDVPD T, Y12, C, C \
	VSUBPD off(DI)(AX*8), Y10, S \
	VSUBPD off(R8)(AX*8), S, S \
	VANDPD Y15, S, T \
	VMULPD T, S, S \
	VMULPD Y14, S, S \
	VMULPD Y13, C, C \
	VCMPPD $0x1e, C, S, T

// func skipPartnersAVX2(f, lower, diag, row *float64, from, n int, b *bar) int
TEXT ·skipPartnersAVX2(SB), NOSPLIT, $0-64
	MOVQ f+0(FP), DI
	MOVQ lower+8(FP), R8
	MOVQ diag+16(FP), R9
	MOVQ row+24(FP), R10
	MOVQ from+32(FP), AX
	MOVQ n+40(FP), CX
	MOVQ b+48(FP), DX
	VXORPD Y9, Y9, Y9
	VBROADCASTSD (DX), Y10
	VBROADCASTSD 8(DX), Y11
	VBROADCASTSD 16(DX), Y12
	VBROADCASTSD 24(DX), Y13
	VBROADCASTSD 32(DX), Y14
	VBROADCASTSD absolute<>(SB), Y15

partnerloop:
	CLEARS(0, Y0, Y1, Y2)
	CLEARS(32, Y3, Y4, Y5)
	VORPD Y2, Y5, Y5
	VTESTPD Y5, Y5
	JNE partnerfound
	ADDQ $8, AX
	CMPQ AX, CX
	JLT partnerloop
	JMP partnerdone

partnerfound:
	VTESTPD Y2, Y2
	JNE partnerdone
	ADDQ $4, AX // only among the last four

partnerdone:
	MOVQ AX, ret+56(FP)
	VZEROUPPER
	RET
