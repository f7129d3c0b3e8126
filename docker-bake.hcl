# Both images, each for two processors, pushed to your registry:
#   docker buildx create --use        once: the default builder makes images only for its own processor
#   REGISTRY=registry.example VERSION=0.1.0 docker buildx bake --push
# For this machine alone, `docker build` is enough (docs/install.md).
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
