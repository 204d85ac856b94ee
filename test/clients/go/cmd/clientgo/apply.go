package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1 "k8s.io/client-go/applyconfigurations/core/v1"
	applymetav1 "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func appliedDeployment(namespace, image string) *appsv1.DeploymentApplyConfiguration {
	labels := map[string]string{"app": "apply"}
	return appsv1.Deployment("apply", namespace).WithSpec(appsv1.DeploymentSpec().
		WithReplicas(2).
		WithSelector(applymetav1.LabelSelector().WithMatchLabels(labels)).
		WithTemplate(corev1.PodTemplateSpec().WithLabels(labels).WithSpec(corev1.PodSpec().
			WithContainers(corev1.Container().WithName("main").WithImage(image)))))
}

// checkApply is server-side apply through apply configurations: two managers, a conflict, force, status, and what each owns.
func checkApply(ctx context.Context, config *rest.Config, namespace string) (any, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	deployments := client.AppsV1().Deployments(namespace)
	one, two := metav1.ApplyOptions{FieldManager: "one"}, metav1.ApplyOptions{FieldManager: "two"}
	results := map[string]any{}
	first, err := deployments.Apply(ctx, appliedDeployment(namespace, "nginx:1.27"), one)
	if err != nil {
		return nil, err
	}
	results["applied"] = first
	again, err := deployments.Apply(ctx, appliedDeployment(namespace, "nginx:1.27"), one)
	if err != nil {
		return nil, err
	}
	results["applied again changes nothing"] = again.ResourceVersion == first.ResourceVersion
	_, err = deployments.Apply(ctx, appliedDeployment(namespace, "nginx:1.28"), two)
	results["conflict"] = refusalOf(err)
	two.Force = true
	forced, err := deployments.Apply(ctx, appliedDeployment(namespace, "nginx:1.28"), two)
	if err != nil {
		return nil, err
	}
	for _, owner := range []string{"one", "two"} {
		extracted, err := appsv1.ExtractDeployment(forced, owner)
		if err != nil {
			return nil, err
		}
		results["owned by "+owner] = extracted
	}
	status := appsv1.Deployment("apply", namespace).WithStatus(appsv1.DeploymentStatus().WithReplicas(1).WithObservedGeneration(1))
	withStatus, err := deployments.ApplyStatus(ctx, status, metav1.ApplyOptions{FieldManager: "status"})
	if err != nil {
		return nil, err
	}
	results["status"] = withStatus.Status
	extracted, err := appsv1.ExtractDeploymentStatus(withStatus, "status")
	if err != nil {
		return nil, err
	}
	results["status owned"] = extracted
	return results, nil
}
