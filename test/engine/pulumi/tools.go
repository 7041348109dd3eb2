//go:build tools

// Package tools pins the version of the Pulumi engine that the tests drive.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
