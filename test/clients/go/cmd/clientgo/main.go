// Command clientgo uses a server through client-go, as Go programs do, and prints the results as JSON.
// KUBECONFIG names the server; the only argument is the name of a check.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// A check acts in its own namespace and returns the responses, without values that differ from run to run.
type check func(ctx context.Context, config *rest.Config, namespace string) (any, error)

var checks = map[string]check{
	"apply":      checkApply,
	"discovery":  checkDiscovery,
	"dynamic":    checkDynamic,
	"election":   checkElection,
	"errors":     checkErrors,
	"informers":  checkInformers,
	"metadata":   checkMetadata,
	"paging":     checkPaging,
	"patches":    checkPatches,
	"typed":      checkTyped,
	"watch":      checkWatch,
	"collection": checkDeleteCollection,
}

const timeout = 25 * time.Second

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) != 1 || checks[arguments[0]] == nil {
		return errors.New("usage: clientgo CHECK")
	}
	name := arguments[0]
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	// The default of Go controllers.
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()

	namespace := fmt.Sprintf("clientgo-%s", name)
	if err := ensureNamespace(ctx, config, namespace); err != nil {
		return err
	}
	result, err := checks[name](ctx, config, namespace)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return printJSON(result)
}

func ensureNamespace(ctx context.Context, config *rest.Config, name string) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_, err = client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

func printJSON(value any) error {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// A refusal has the fields of an API error that programs read.
type refusal struct {
	Code    int32                 `json:"code"`
	Reason  metav1.StatusReason   `json:"reason"`
	Message string                `json:"message"`
	Details *metav1.StatusDetails `json:"details,omitempty"`
}

func refusalOf(err error) any {
	status := apierrors.APIStatus(nil)
	if errors.As(err, &status) {
		is := status.Status()
		return refusal{is.Code, is.Reason, is.Message, is.Details}
	}
	if err == nil {
		return "no error"
	}
	return err.Error()
}

// Every write by a fixed manager, so that managed fields do not name the binary.
const manager = "clientgo"

var (
	created = metav1.CreateOptions{FieldManager: manager}
	updated = metav1.UpdateOptions{FieldManager: manager}
	patched = metav1.PatchOptions{FieldManager: manager}
)
