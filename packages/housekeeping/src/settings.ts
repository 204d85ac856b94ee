/** The field manager of kube-controller-manager: Kubernetes takes it from the user agent. */
export const fieldManager = 'kube-controller-manager';

/** For the loops that delete. A thousand deletions may conflict at once, which is no reason to slow down. */
export const retryLimits = { firstMs: 5, maxMs: 60_000, perSecond: 1000, burst: 10_000 };
