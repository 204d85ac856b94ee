/** Under which Kubernetes records what the controllers of kube-controller-manager write: the first word of their user agent. */
export const fieldManager = 'kube-controller-manager';

/** Of the loops that delete: a thousand races may be lost at once, and none of them is a reason to be slow. */
export const retryLimits = { firstMs: 5, maxMs: 60_000, perSecond: 1000, burst: 10_000 };
