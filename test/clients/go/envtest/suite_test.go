// Package envtest is an ordinary controller test suite for the servers in KUBEBUILDER_ASSETS. It passes on ours and on
// kube-apiserver with etcd.
package envtest

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

var (
	environment *envtest.Environment
	config      *rest.Config
	scheme      = newScheme()
)

func TestMain(m *testing.M) {
	log.SetLogger(klog.NewKlogr())
	environment = &envtest.Environment{CRDDirectoryPaths: []string{"definitions"}, ErrorIfCRDPathMissing: true}
	var err error
	if config, err = environment.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "the environment does not start:", err)
		os.Exit(1)
	}
	code := m.Run()
	if err := environment.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "the environment does not stop:", err)
		code = 1
	}
	os.Exit(code)
}

// newClient reads from the server, not from a cache.
func newClient(t *testing.T, config *rest.Config) client.Client {
	t.Helper()
	direct, err := client.New(config, client.Options{Scheme: scheme})
	must(t, err)
	return direct
}

// newNamespace creates a namespace for one test. It stays: no controller of a bare server would remove it.
func newNamespace(t *testing.T, direct client.Client) string {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "suite-"}}
	must(t, direct.Create(t.Context(), namespace))
	return namespace.Name
}

func configMap(namespace, name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eventually retries `holds` until it returns nil, and fails with its last error.
func eventually(t *testing.T, what string, holds func(ctx context.Context) error) {
	t.Helper()
	var last error
	err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, 15*time.Second, true, func(ctx context.Context) (bool, error) {
		last = holds(ctx)
		return last == nil, nil
	})
	if err != nil {
		t.Fatalf("%s: %v", what, last)
	}
}
