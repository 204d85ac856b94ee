/** Under which Kubernetes records what the controllers of kube-controller-manager write: the first word of their user agent. */
export const fieldManager = 'kube-controller-manager';
