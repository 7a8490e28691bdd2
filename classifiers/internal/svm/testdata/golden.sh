#!/bin/sh
# Makes golden.libsvm (150 rows, 5 columns, labels +1 and -1) and golden.csv: the
# objective and the bias (-rho) that libsvm reports for several kernels and costs.
# Run with svm-train 3.24 (Debian package libsvm-tools) on the path.
cd "$(dirname "$0")" || exit 1
awk 'BEGIN {
	for (i = 1; i <= 150; i++) {
		y = i % 3 == 0 ? 1 : -1
		printf "%+d", y
		for (j = 1; j <= 5; j++) printf " %d:%.6f", j, 2 * sin(i * (j + 0.3) + j * j) + 0.4 * y * (j % 2) + cos(i * i * 0.7 * j)
		printf "\n"
	}
}' >golden.libsvm
echo kernel,c,gamma,coef0,degree,objective,bias >golden.csv
golden() { # kernel number, name, c, gamma, coef0, degree
	svm-train -t "$1" -c "$3" -g "$4" -r "$5" -d "$6" -e 1e-5 -h 0 golden.libsvm /dev/null |
		sed -n 's/^obj = \([^,]*\), rho = \(.*\)$/\1 \2/p' |
		awk -v head="$2,$3,$4,$5,$6" '{ printf "%s,%s,%.6f\n", head, $1, -$2 }' >>golden.csv
}
golden 0 linear 1 1 0 1
golden 0 linear 0.01 1 0 1
golden 0 linear 50 1 0 1
golden 2 rbf 1 0.2 0 1
golden 2 rbf 100 0.05 0 1
golden 2 rbf 0.1 2 0 1
golden 1 polynomial 1 0.2 1 3
golden 1 polynomial 0.3 0.5 0.5 2
