/** Removes fields of features that are off by default. */
import type { ContainerFields } from './container-fields.ts';
import type { PodSpecFields, PodTemplateFields } from './pod-fields.ts';

export function dropGatedFields(spec: PodSpecFields): void {
  delete spec['schedulingGroup'];
  dropProjections(spec);
  dropStopSignals(spec.initContainers);
  dropStopSignals(spec.containers);
  dropStopSignals(spec.ephemeralContainers);
}

export function dropGatedTemplateFields(template: PodTemplateFields | undefined): void {
  if (template?.spec !== undefined) dropGatedFields(template.spec);
}

function dropProjections({ volumes }: PodSpecFields): void {
  for (const { projected } of volumes ?? []) {
    for (const source of projected?.sources ?? []) {
      delete source.clusterTrustBundle;
      delete source.podCertificate;
    }
  }
}

function dropStopSignals(containers: readonly ContainerFields[] | null | undefined): void {
  for (const container of containers ?? []) {
    const { lifecycle } = container;
    if (lifecycle?.stopSignal === undefined) continue;
    delete lifecycle.stopSignal;
    if (lifecycle.postStart === undefined && lifecycle.preStop === undefined) delete container.lifecycle;
  }
}
