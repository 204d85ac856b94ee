package envtest

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// startDurable starts an environment whose kube-apiserver can be restarted: at the same address, with the same certificates
// and the same objects. kube-apiserver itself takes new watches while it stops, so that its clients list again afterwards.
func startDurable(t *testing.T) (*envtest.Environment, *rest.Config) {
	t.Helper()
	help, err := exec.Command(environment.ControlPlane.APIServer.Path, "--help").Output()
	must(t, err)
	if !strings.Contains(string(help), "--data-dir") {
		t.Skip("this kube-apiserver is not ours")
	}
	durable := &envtest.Environment{}
	apiserver := durable.ControlPlane.GetAPIServer()
	apiserver.CertDir = t.TempDir()
	apiserver.Configure().Set("data-dir", t.TempDir())
	config, err := durable.Start()
	must(t, err)
	t.Cleanup(func() { must(t, durable.Stop()) })
	return durable, config
}

// A record has the notifications of an informer, in order.
type record struct {
	mutex  sync.Mutex
	events []string
}

func (r *record) note(event string, object any) {
	if gone, isGone := object.(cache.DeletedFinalStateUnknown); isGone {
		object = gone.Obj
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.events = append(r.events, event+" "+object.(*corev1.ConfigMap).Name)
}

func (r *record) handlers() cache.ResourceEventHandlerFuncs {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { r.note("add", object) },
		UpdateFunc: func(_, object any) { r.note("update", object) },
		DeleteFunc: func(object any) { r.note("delete", object) },
	}
}

func (r *record) equals(expected ...string) func(context.Context) error {
	return func(context.Context) error {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		if !slices.Equal(r.events, expected) {
			return fmt.Errorf("the informer notified of %v", r.events)
		}
		return nil
	}
}

// countLists counts the requests for all objects, in either form: a list, or a watch that begins with one.
func countLists(config *rest.Config) (*rest.Config, *atomic.Int32) {
	lists := &atomic.Int32{}
	counted := rest.CopyConfig(config)
	counted.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			query := request.URL.Query()
			isOfCollection := request.Method == http.MethodGet && strings.HasSuffix(request.URL.Path, "/configmaps")
			if isOfCollection && (query.Get("watch") == "" || query.Get("sendInitialEvents") == "true") {
				lists.Add(1)
			}
			return next.RoundTrip(request)
		})
	})
	return counted, lists
}

type roundTripper func(*http.Request) (*http.Response, error)

func (do roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return do(request) }

func TestWatchesGoOnAfterTheServerHasRestarted(t *testing.T) {
	durable, config := startDurable(t)
	direct := newClient(t, config)
	namespace := newNamespace(t, direct)
	must(t, direct.Create(t.Context(), configMap(namespace, "before")))

	counted, lists := countLists(config)
	clients, err := kubernetes.NewForConfig(counted)
	must(t, err)
	factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps().Informer()
	seen := &record{}
	_, err = informer.AddEventHandler(seen.handlers())
	must(t, err)
	factory.Start(t.Context().Done())
	factory.WaitForCacheSync(t.Context().Done())
	// A watch that ends before its first event counts as broken, and the informer lists again.
	must(t, direct.Create(t.Context(), configMap(namespace, "meanwhile")))
	eventually(t, "the informer notifies of existing objects", seen.equals("add before", "add meanwhile"))

	must(t, durable.ControlPlane.APIServer.Stop())
	must(t, durable.ControlPlane.APIServer.Start())

	direct = newClient(t, config)
	must(t, direct.Create(t.Context(), configMap(namespace, "after")))
	must(t, direct.Delete(t.Context(), configMap(namespace, "before")))
	eventually(t, "the informer notifies of later changes once",
		seen.equals("add before", "add meanwhile", "add after", "delete before"))
	if count := lists.Load(); count != 1 {
		t.Errorf("the informer listed %d times: it did not go on where it was", count)
	}
}
