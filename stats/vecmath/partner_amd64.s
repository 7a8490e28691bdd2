//go:build amd64 && !purego

#include "textflag.h"

DATA absolute<>+0(SB)/8, $0x7fffffffffffffff
GLOBL absolute<>(SB), RODATA|NOPTR, $8

// Element l of eachLane sends lane l, two words of 32 bits, to all lanes.
DATA eachLane<>+0(SB)/8, $0x0000000100000000
DATA eachLane<>+8(SB)/8, $0x0000000300000002
DATA eachLane<>+16(SB)/8, $0x0000000500000004
DATA eachLane<>+24(SB)/8, $0x0000000700000006
GLOBL eachLane<>(SB), RODATA|NOPTR, $32

// CLEARS makes the S and C of four elements, d|d| and c, and sets the lanes of T
// that clear the bar. Predicate 0x12 is <=, 0x1e is >, both false for NaN.
#define CLEARS(off, S, C, T, U) \
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
	ABOVE(S, C, T, U)

#define ABOVE(S, C, T, U) \
	VMULPD Y14, S, T \
	VMULPD Y13, C, U \
	VCMPPD $0x1e, U, T, T

// func bestPartnerAVX2(f, lower, diag, row *float64, n int, b *bar) int
TEXT ·bestPartnerAVX2(SB), NOSPLIT, $0-56
	MOVQ f+0(FP), DI
	MOVQ lower+8(FP), R8
	MOVQ diag+16(FP), R9
	MOVQ row+24(FP), R10
	MOVQ n+32(FP), CX
	MOVQ b+40(FP), DX
	VXORPD Y9, Y9, Y9
	VBROADCASTSD (DX), Y10
	VBROADCASTSD 8(DX), Y11
	VBROADCASTSD 16(DX), Y12
	VBROADCASTSD 24(DX), Y13
	VBROADCASTSD 32(DX), Y14
	VBROADCASTSD absolute<>(SB), Y15
	LEAQ eachLane<>(SB), R11
	MOVQ $-1, R12 // the best
	XORQ AX, AX

partnerloop:
	CLEARS(0, Y0, Y1, Y2, Y6)
	CLEARS(32, Y3, Y4, Y5, Y7)
	VORPD Y2, Y5, Y6
	VTESTPD Y6, Y6
	JNE partnerfound

partnernext:
	ADDQ $8, AX
	CMPQ AX, CX
	JLT partnerloop
	VMOVSD X13, 24(DX)
	VMOVSD X14, 32(DX)
	MOVQ R12, ret+48(FP)
	VZEROUPPER
	RET

// The first lane that clears the bar raises it for those behind it: the first four
// are searched, then the others take their place.
partnerfound:
	XORQ SI, SI

partnerfour:
	MOVL $15, R13 // the lanes that are left

partnerlane:
	VMOVMSKPD Y2, BX
	ANDL R13, BX
	JE partnerswap
	BSFL BX, BX
	LEAQ (AX)(SI*1), R12
	ADDQ BX, R12
	VBROADCASTSD (R11)(BX*8), Y8
	VPERMPS Y0, Y8, Y13
	VPERMPS Y1, Y8, Y14
	ABOVE(Y0, Y1, Y2, Y6)
	MOVL BX, CX
	MOVL $14, R13
	SHLL CX, R13
	JMP partnerlane

partnerswap:
	MOVQ n+32(FP), CX
	TESTQ SI, SI
	JNE partnernext
	MOVQ $4, SI
	VMOVAPD Y3, Y0
	VMOVAPD Y4, Y1
	ABOVE(Y0, Y1, Y2, Y6)
	JMP partnerfour
