#!/bin/sh
# Makes incomplete.csv (80 rows, 4 columns, labels +1 and -1, empty where a value
# is missing) and incomplete-golden.csv: the objective and the bias (-rho) of
# libsvm's linear machine on two codings of it. means: column means for missing
# values; average: zeros for them, column f divided by sqrt(n_f / n).
# Run with svm-train 3.24 (Debian package libsvm-tools) on the path.
cd "$(dirname "$0")" || exit 1
awk 'BEGIN {
	print "x1,x2,x3,x4,label"
	for (i = 1; i <= 80; i++) {
		y = i % 2 ? 1 : -1
		for (j = 1; j <= 4; j++) {
			missing = j < 4 && (i * (j + 1) + j * j) % 5 < j - 0.5 # a fifth, two fifths, three fifths, none
			printf missing ? "," : "%.6f,", 2 * sin(i * (j + 0.3) + j * j) + 0.9 * y * (j % 3 > 0) + j / 2
		}
		print y
	}
}' >incomplete.csv
echo coding,c,objective,bias >incomplete-golden.csv
for coding in means average; do
	awk -F, -v coding=$coding 'NR > 1 {
		n++
		y[n] = $5
		for (j = 1; j <= 4; j++) {
			x[n, j] = $j
			if ($j != "") { present[j]++; sum[j] += $j }
		}
	}
	END {
		for (i = 1; i <= n; i++) {
			printf "%+d", y[i]
			for (j = 1; j <= 4; j++) {
				v = x[i, j]
				if (coding == "means") v = v == "" ? sum[j] / present[j] : v
				else v = v == "" ? 0 : v / sqrt(present[j] / n)
				printf " %d:%.15g", j, v
			}
			print ""
		}
	}' incomplete.csv >incomplete.libsvm
	for c in 0.0625 1 16; do
		svm-train -t 0 -c $c -e 1e-7 -h 0 incomplete.libsvm /dev/null |
			sed -n 's/^obj = \([^,]*\), rho = \(.*\)$/\1 \2/p' |
			awk -v head=$coding,$c '{ printf "%s,%s,%.6f\n", head, $1, -$2 }' >>incomplete-golden.csv
	done
done
rm incomplete.libsvm
