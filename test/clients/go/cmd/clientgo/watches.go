package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
)

// checkWatch follows a label selector from the initial events over a bookmark to changes, then resumes.
func checkWatch(ctx context.Context, config *rest.Config, namespace string) (any, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	configMaps := client.CoreV1().ConfigMaps(namespace)
	blue, red := map[string]string{"color": "blue"}, map[string]string{"color": "red"}
	for _, object := range []*corev1.ConfigMap{aConfigMap("one", blue), aConfigMap("three", red), aConfigMap("two", blue)} {
		if _, err := configMaps.Create(ctx, object, created); err != nil {
			return nil, err
		}
	}
	watcher, err := configMaps.Watch(ctx, metav1.ListOptions{
		LabelSelector: "color=blue", AllowWatchBookmarks: true,
		SendInitialEvents: ptr.To(true), ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
	})
	if err != nil {
		return nil, err
	}
	defer watcher.Stop()
	initial, version, err := take(watcher, 3)
	if err != nil {
		return nil, err
	}
	for _, step := range []func() error{
		func() error { _, err := configMaps.Create(ctx, aConfigMap("four", blue), created); return err },
		func() error { _, err := configMaps.Update(ctx, aConfigMap("three", blue), updated); return err },
		func() error { _, err := configMaps.Update(ctx, aConfigMap("one", red), updated); return err },
		func() error { _, err := configMaps.Create(ctx, aConfigMap("five", red), created); return err },
		func() error { return configMaps.Delete(ctx, "two", metav1.DeleteOptions{}) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	changes, _, err := take(watcher, 4)
	if err != nil {
		return nil, err
	}
	resumed, err := configMaps.Watch(ctx, metav1.ListOptions{ResourceVersion: version})
	if err != nil {
		return nil, err
	}
	defer resumed.Stop()
	replay, _, err := take(resumed, 5)
	if err != nil {
		return nil, err
	}
	return map[string]any{"initial": initial, "changes": changes, "replay": replay}, nil
}

// take waits for some events and returns them in words, with the last resource version.
func take(watcher watch.Interface, count int) (words []string, version string, err error) {
	for event := range watcher.ResultChan() {
		object, err := meta.Accessor(event.Object)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %v", event.Type, event.Object)
		}
		word := fmt.Sprintf("%s %s %s", event.Type, object.GetName(), object.GetLabels()["color"])
		if event.Type == watch.Bookmark {
			word = fmt.Sprintf("%s initial-events-end=%s", event.Type, object.GetAnnotations()[metav1.InitialEventsAnnotationKey])
		}
		words, version = append(words, word), object.GetResourceVersion()
		if len(words) == count {
			return words, version, nil
		}
	}
	return nil, "", fmt.Errorf("the watch ended after %v", words)
}

// checkInformers counts the requests of an informer, and records the calls of its handler.
func checkInformers(ctx context.Context, config *rest.Config, namespace string) (any, error) {
	lists, streams := countRequests(config)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	configMaps := client.CoreV1().ConfigMaps(namespace)
	for _, name := range []string{"one", "two"} {
		if _, err := configMaps.Create(ctx, aConfigMap(name, nil), created); err != nil {
			return nil, err
		}
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps()
	told := make(chan string, 100)
	registration, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(object any, initial bool) { told <- fmt.Sprintf("add %s initial=%t", nameOf(object), initial) },
		UpdateFunc: func(_, object any) { told <- "update " + nameOf(object) },
		DeleteFunc: func(object any) { told <- "delete " + nameOf(object) },
	})
	if err != nil {
		return nil, err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), registration.HasSynced) {
		return nil, fmt.Errorf("the informer did not sync")
	}
	synced, err := informer.Lister().ConfigMaps(namespace).Get("one")
	if err != nil {
		return nil, err
	}
	if _, err := configMaps.Create(ctx, aConfigMap("three", nil), created); err != nil {
		return nil, err
	}
	if _, err := configMaps.Update(ctx, aConfigMap("two", map[string]string{"new": "yes"}), updated); err != nil {
		return nil, err
	}
	if err := configMaps.Delete(ctx, "one", metav1.DeleteOptions{}); err != nil {
		return nil, err
	}
	words := []string{}
	for len(words) < 5 {
		select {
		case word := <-told:
			words = append(words, word)
		case <-ctx.Done():
			return nil, fmt.Errorf("was told only %v", words)
		}
	}
	slices.Sort(words[:2]) // the initial state has no order
	return map[string]any{"told": words, "cached": synced.Data, "lists": lists.Load(), "streamedLists": streams.Load()}, nil
}

func nameOf(object any) string {
	return object.(*corev1.ConfigMap).Name
}

// countRequests counts lists, and watches that ask for the initial state instead of a list.
func countRequests(config *rest.Config) (lists, streams *atomic.Int32) {
	lists, streams = &atomic.Int32{}, &atomic.Int32{}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			query := request.URL.Query()
			switch {
			case query.Get("sendInitialEvents") == "true":
				streams.Add(1)
			case request.Method == http.MethodGet && !query.Has("watch"):
				lists.Add(1)
			}
			return next.RoundTrip(request)
		})
	})
	return lists, streams
}

type roundTripper func(*http.Request) (*http.Response, error)

func (trip roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	return trip(request)
}
