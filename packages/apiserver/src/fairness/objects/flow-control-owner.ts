/** The field manager of the default flow control objects. */
export const flowControlProducer = 'api-priority-and-fairness-config-producer-v1';

/** Allow the producer to update the spec. */
export const producedAnnotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' };
