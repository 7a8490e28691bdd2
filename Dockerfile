# The image for docs/guide/kubernetes.yaml: copse, a shell, the
# certificates that `copse data fetch` asks for, and nothing else. Methods in R or
# Python need an image of their own: FROM copse, then apt-get install r-base-core or
# python3-numpy.
#
#   docker build --build-arg REVISION=$(git rev-parse HEAD) -t copse .
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG REVISION=unknown
RUN CGO_ENABLED=0 GOAMD64=v1 go build -trimpath -buildvcs=false -ldflags "-X copse/experiments/results.revision=$REVISION" -o /copse .
RUN internal/licences.sh >/THIRD-PARTY.txt

FROM debian:bookworm-slim
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /copse /usr/local/bin/copse
COPY --from=build /src/LICENSE /THIRD-PARTY.txt /usr/share/doc/copse/
COPY configs /usr/share/copse/configs
WORKDIR /results
ENTRYPOINT []
CMD ["copse", "--help"]
