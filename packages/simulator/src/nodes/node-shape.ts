/** Nodes that are alike. */
export interface NodeShape {
  /** They are named `NAME-1`, `NAME-2`, …, across all shapes with this name. Default: `node`. */
  readonly name?: string | undefined;
  /** Default: 1. */
  readonly count?: number | undefined;
  /** Determines the capacity, if it is a known one: `Standard_D4s_v3`. */
  readonly instanceType?: string | undefined;
  readonly region?: string | undefined;
  readonly zone?: string | undefined;
  /** Quantities by resource, such as `cpu` and `memory`; those that are missing follow from the instance type. */
  readonly capacity?: Readonly<Record<string, string>> | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly taints?: readonly NodeTaint[] | undefined;
}

export interface NodeTaint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

export const defaultNodes: readonly NodeShape[] = [{ count: 3 }];
