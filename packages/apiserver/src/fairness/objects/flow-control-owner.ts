/** The field managers of kube-apiserver for its flow control objects, and for the condition of all schemas. */
export const flowControlProducer = 'api-priority-and-fairness-config-producer-v1';
export const flowControlConsumer = 'api-priority-and-fairness-config-consumer-v1';

/** Whether the server may update the spec of a default object. */
export const autoUpdateAnnotation = 'apf.kubernetes.io/autoupdate-spec';

export const producedAnnotations = { [autoUpdateAnnotation]: 'true' };
