//go:build amd64 && !purego

#include "textflag.h"
#include "pow2_amd64.h"
#include "pow2_avx512_amd64.h"

// ZSQUARE makes q = ((x-t) s)^2; Z28 holds t, Z29 s.
#define ZSQUARE(k, R, T, P) \
	VSUBPD (64*k)(SI), Z28, R \
	VMULPD Z29, R, R \
	VMULPD R, R, R

#define ZSTORE(k, R, T, P) VMOVUPD R, (64*k)(DI)

// func gaussAVX512(dst, x *float64, n int, t, s float64)
TEXT ·gaussAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSD t+24(FP), Z28
	VBROADCASTSD s+32(FP), Z29
	VBROADCASTSD MAGIC, Z31
	SUBQ $64, CX
	JLT gausslast

gaussloop:
	EACH8(ZSQUARE)
	ZPOW2(EACH8, ZPOLY8)
	EACH8(ZSTORE)
	ADDQ $512, SI
	ADDQ $512, DI
	SUBQ $64, CX
	JGE gaussloop

gausslast:
	ADDQ $64, CX
	JEQ gaussdone

gausstail:
	EACH2(ZSQUARE)
	ZPOW2(EACH2, ZPOLY2)
	EACH2(ZSTORE)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $16, CX
	JNE gausstail

gaussdone:
	VZEROUPPER
	RET
