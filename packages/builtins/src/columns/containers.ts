import type { ColumnDefinition } from '../kind.ts';
import { column, wideColumn } from './column-definition.ts';

interface ContainerFields {
  readonly name: string;
  readonly image?: string;
}

const ofNames = ['Containers', 'string', 'Names of the containers in the pod template.'] as const;
const ofImages = ['Images', 'string', 'Images of the containers in the pod template.'] as const;

export const containersColumn: ColumnDefinition = column(...ofNames);
export const imagesColumn: ColumnDefinition = column(...ofImages);
export const wideContainersColumn: ColumnDefinition = wideColumn(...ofNames);
export const wideImagesColumn: ColumnDefinition = wideColumn(...ofImages);

export function containerNames(containers: readonly ContainerFields[] | undefined): string {
  return (containers ?? []).map(({ name }) => name).join(',');
}

export function containerImages(containers: readonly ContainerFields[] | undefined): string {
  return (containers ?? []).map(({ image }) => image ?? '').join(',');
}
