# The image for docs/guide/kubernetes.yaml: copse, a shell, the
# certificates that `copse data fetch` asks for, and nothing else. Methods in R or
# Python need an image of their own: FROM copse, then apt-get install r-base-core or
# python3-numpy.
#
#   docker buildx build --sbom=true --build-arg REVISION=$(git rev-parse HEAD) -t copse .
#
# The image runs as user 65532 without privileges and carries an SBOM (SPDX, of BuildKit). A
# release pins both base images by digest, which the first command prints:
#   docker buildx imagetools inspect golang:1.26-bookworm --format '{{.Manifest.Digest}}'
#   --build-arg GO_IMAGE=golang@sha256:... --build-arg BASE_IMAGE=debian@sha256:...
# No digest is written here: the file was written without access to a registry of images, and a
# digest that nobody has pulled pins nothing.
ARG GO_IMAGE=golang:1.26-bookworm
ARG BASE_IMAGE=debian:bookworm-slim
FROM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG REVISION=unknown
RUN CGO_ENABLED=0 GOAMD64=v1 go build -trimpath -buildvcs=false -ldflags "-X copse/experiments/results.revision=$REVISION" -o /copse .
RUN internal/licences.sh >/THIRD-PARTY.txt

FROM ${BASE_IMAGE}
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /copse /usr/local/bin/copse
COPY --from=build /src/LICENSE /THIRD-PARTY.txt /usr/share/doc/copse/
COPY configs /usr/share/copse/configs
RUN install -d -o 65532 -g 65532 /results
WORKDIR /results
ENV HOME=/results
USER 65532:65532
ENTRYPOINT []
CMD ["copse", "--help"]
