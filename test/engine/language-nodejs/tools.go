//go:build tools

// Package tools pins the Node.js language host that goes with the engine.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
