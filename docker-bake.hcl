# Both images for both processors: docker buildx bake --set '*.output=type=image,push=true'
# With a tag and a registry of yours: REGISTRY=registry.example VERSION=0.1.0 docker buildx bake
variable "REGISTRY" {
  default = ""
}

variable "VERSION" {
  default = "dev"
}

# The commit, for the label.
variable "REVISION" {
  default = ""
}

group "default" {
  targets = ["gateway", "sandbox"]
}

target "image" {
  platforms = ["linux/amd64", "linux/arm64"]
  args = {
    VERSION  = VERSION
    REVISION = REVISION
  }
  attest = ["type=provenance,mode=max", "type=sbom"]
}

target "gateway" {
  inherits = ["image"]
  target   = "gateway"
  tags     = [REGISTRY == "" ? "talkbridge:${VERSION}" : "${REGISTRY}/talkbridge:${VERSION}"]
}

target "sandbox" {
  inherits = ["image"]
  target   = "sandbox"
  tags     = [REGISTRY == "" ? "talkbridge-sandbox:${VERSION}" : "${REGISTRY}/talkbridge-sandbox:${VERSION}"]
}
