// ADDROW adds the column weights in Y4-Y7 times a row's weight to the nodes at AX,
// which it moves on to the next row; BX is the stride in bytes. Y0 and Y12-Y15 are
// scratch.
#define ADDROW(weight) \
	VBROADCASTSD weight, Y0 \
	VMOVUPD (AX), Y12 \
	VMOVUPD 32(AX), Y13 \
	VMOVUPD 64(AX), Y14 \
	VMOVUPD 96(AX), Y15 \
	VFMADD231PD Y4, Y0, Y12 \
	VFMADD231PD Y5, Y0, Y13 \
	VFMADD231PD Y6, Y0, Y14 \
	VFMADD231PD Y7, Y0, Y15 \
	VMOVUPD Y12, (AX) \
	VMOVUPD Y13, 32(AX) \
	VMOVUPD Y14, 64(AX) \
	VMOVUPD Y15, 96(AX) \
	ADDQ BX, AX
