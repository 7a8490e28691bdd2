# The image for docs/guide/kubernetes.yaml. It contains only copse, a shell, and the
# certificates that `copse data fetch` needs. Methods in R or Python need their own image:
# FROM copse, then apt-get install r-base-core or python3-numpy.
#
#   docker buildx build --sbom=true --build-arg REVISION=$(git rev-parse HEAD) -t copse .
#
# The image runs as user 65532 without privileges and contains an SBOM (SPDX, by BuildKit).
# Both base images are pinned by digest. Public projects use the same digests for these tags;
# copse's tests cannot pull the images. To update the digests:
#   docker buildx imagetools inspect golang:1.26-bookworm --format '{{.Manifest.Digest}}'
#   docker buildx imagetools inspect debian:bookworm-slim --format '{{.Manifest.Digest}}'
ARG GO_IMAGE=golang:1.26.8-bookworm@sha256:a688600ca24f8a4d3ca77f95b0dd40704a9fc787c826660eb7ba0b641b8b175d
ARG BASE_IMAGE=debian:bookworm-slim@sha256:7b140f374b289a7c2befc338f42ebe6441b7ea838a042bbd5acbfca6ec875818
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
