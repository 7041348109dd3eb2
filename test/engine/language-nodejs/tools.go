//go:build tools

// Package tools pins the version of the engine's Node.js language host.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
