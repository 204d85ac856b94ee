/** Whoever keeps the default flow control objects in step with the server's release. */
export const flowControlProducer = 'api-priority-and-fairness-config-producer-v1';

/** Says that the producer may still change the spec. */
export const producedAnnotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' };
