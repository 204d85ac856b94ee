package main

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// checkElection lets two candidates lead one after the other through a Lease.
func checkElection(ctx context.Context, config *rest.Config, namespace string) (any, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	led := []string{}
	for _, candidate := range []string{"anna", "berta"} {
		term, resign := context.WithCancel(ctx)
		leaderelection.RunOrDie(term, leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta:  metav1.ObjectMeta{Name: "election", Namespace: namespace},
				Client:     client.CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: candidate},
			},
			LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: 200 * time.Millisecond,
			ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) {
					lease, err := client.CoordinationV1().Leases(namespace).Get(ctx, "election", metav1.GetOptions{})
					if err == nil {
						led = append(led, *lease.Spec.HolderIdentity)
					}
					resign()
				},
				OnStoppedLeading: func() {},
			},
		})
		resign()
	}
	lease, err := client.CoordinationV1().Leases(namespace).Get(ctx, "election", metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return map[string]any{"led": led, "holder": lease.Spec.HolderIdentity, "transitions": lease.Spec.LeaseTransitions}, nil
}
