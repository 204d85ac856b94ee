package envtest

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// boatReconciler keeps a ConfigMap for every boat, and reports in the boat's status how many are aboard.
type boatReconciler struct {
	client.Client
}

func (r *boatReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	boat := &Boat{}
	if err := r.Get(ctx, request.NamespacedName, boat); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	manifest := configMap(boat.Namespace, boat.Name)
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, manifest, func() error {
		manifest.Data = map[string]string{"crew": strconv.Itoa(int(boat.Spec.Crew)), "berth": boat.Spec.Berth}
		return controllerutil.SetControllerReference(boat, manifest, r.Scheme())
	})
	if err != nil || boat.Status.Aboard == boat.Spec.Crew {
		return ctrl.Result{}, err
	}
	boat.Status.Aboard = boat.Spec.Crew
	return ctrl.Result{}, r.Status().Update(ctx, boat)
}

const berthField = "spec.berth"

// startManager returns a manager that leads, and a function that stops it.
func startManager(t *testing.T, namespace string) (ctrl.Manager, func()) {
	t.Helper()
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       metricsserver.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              "boats",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
		RetryPeriod:                   ptr.To(100 * time.Millisecond),
	})
	must(t, err)
	must(t, manager.GetFieldIndexer().IndexField(t.Context(), &Boat{}, berthField, func(object client.Object) []string {
		return []string{object.(*Boat).Spec.Berth}
	}))
	must(t, ctrl.NewControllerManagedBy(manager).For(&Boat{}).Owns(&corev1.ConfigMap{}).
		Complete(&boatReconciler{manager.GetClient()}))

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	select {
	case <-manager.Elected():
	case err := <-ended:
		t.Fatalf("the manager ended before it led: %v", err)
	}
	return manager, func() {
		cancel()
		must(t, <-ended)
	}
}

func TestManagerLeadsAndReconciles(t *testing.T) {
	direct := newClient(t, config)
	namespace := newNamespace(t, direct)
	manager, stop := startManager(t, namespace)
	cached := manager.GetClient()
	boat := &Boat{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "argo"}, Spec: BoatSpec{Crew: 50}}
	key := client.ObjectKeyFromObject(boat)
	must(t, cached.Create(t.Context(), boat))

	manifestSays := func(crew string) func(context.Context) error {
		return func(ctx context.Context) error {
			manifest := &corev1.ConfigMap{}
			if err := cached.Get(ctx, key, manifest); err != nil {
				return err
			}
			if manifest.Data["crew"] != crew || manifest.Data["berth"] != "quay" {
				return fmt.Errorf("the ConfigMap has %v", manifest.Data)
			}
			return nil
		}
	}
	eventually(t, "a ConfigMap is made, with the schema's default", manifestSays("50"))

	eventually(t, "the status follows", func(ctx context.Context) error {
		if err := cached.Get(ctx, key, boat); err != nil {
			return err
		}
		if boat.Status.Aboard != 50 || boat.Generation != 1 {
			return fmt.Errorf("aboard %d, generation %d", boat.Status.Aboard, boat.Generation)
		}
		return nil
	})

	boat.Spec.Crew = 51
	must(t, cached.Update(t.Context(), boat))
	eventually(t, "the ConfigMap follows the boat", manifestSays("51"))

	must(t, direct.Delete(t.Context(), configMap(namespace, "argo")))
	eventually(t, "a ConfigMap that was deleted comes back", manifestSays("51"))

	boats := &BoatList{}
	must(t, cached.List(t.Context(), boats, client.InNamespace(namespace), client.MatchingFields{berthField: "quay"}))
	if len(boats.Items) != 1 {
		t.Errorf("the index finds %d boats", len(boats.Items))
	}

	lease := &coordinationv1.Lease{}
	leaseKey := client.ObjectKey{Namespace: namespace, Name: "boats"}
	must(t, direct.Get(t.Context(), leaseKey, lease))
	if ptr.Deref(lease.Spec.HolderIdentity, "") == "" {
		t.Error("the lease has no holder while the manager leads")
	}
	stop()
	must(t, direct.Get(t.Context(), leaseKey, lease))
	if holder := ptr.Deref(lease.Spec.HolderIdentity, ""); holder != "" {
		t.Errorf("%s holds the lease after the manager has stopped", holder)
	}
}

func TestSchemaAndConflictsAreRefused(t *testing.T) {
	direct := newClient(t, config)
	namespace := newNamespace(t, direct)
	empty := &Boat{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "empty"}}
	if err := direct.Create(t.Context(), empty); !apierrors.IsInvalid(err) {
		t.Errorf("a boat without a crew is answered with: %v", err)
	}
	boat := &Boat{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "argo"}, Spec: BoatSpec{Crew: 1}}
	must(t, direct.Create(t.Context(), boat))
	stale := boat.DeepCopyObject().(*Boat)
	boat.Spec.Crew = 2
	must(t, direct.Update(t.Context(), boat))
	stale.Spec.Crew = 3
	if err := direct.Update(t.Context(), stale); !apierrors.IsConflict(err) {
		t.Errorf("a stale update is answered with: %v", err)
	}
}
