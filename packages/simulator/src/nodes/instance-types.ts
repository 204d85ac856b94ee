/** CPUs and memory of the machines that clouds rent out. */
export interface Machine {
  readonly cpus: number;
  readonly memoryMi: number;
}

/** Machines whose name says how many CPUs they have. */
interface Family {
  readonly pattern: RegExp;
  readonly gibPerCpu: number;
  readonly cpus?: (size: string) => number;
}

const families: readonly Family[] = [
  { pattern: /^Standard_D(\d+)[a-z]*(?:_v\d+)?$/, gibPerCpu: 4 },
  { pattern: /^Standard_E(\d+)[a-z]*(?:_v\d+)?$/, gibPerCpu: 8 },
  { pattern: /^Standard_F(\d+)[a-z]*(?:_v\d+)?$/, gibPerCpu: 2 },
  { pattern: /^[a-z]\d[a-z]?-standard-(\d+)$/, gibPerCpu: 4 },
  { pattern: /^[a-z]\d[a-z]?-highmem-(\d+)$/, gibPerCpu: 8 },
  { pattern: /^[a-z]\d[a-z]?-highcpu-(\d+)$/, gibPerCpu: 1 },
  { pattern: /^m\d[a-z]*\.(\d*x?large)$/, gibPerCpu: 4, cpus: cpusOfSize },
  { pattern: /^c\d[a-z]*\.(\d*x?large)$/, gibPerCpu: 2, cpus: cpusOfSize },
  { pattern: /^r\d[a-z]*\.(\d*x?large)$/, gibPerCpu: 8, cpus: cpusOfSize },
];

const others: ReadonlyMap<string, Machine> = new Map([
  ['Standard_B2s', machine(2, 4)],
  ['Standard_B2ms', machine(2, 8)],
  ['Standard_B4ms', machine(4, 16)],
  ['Standard_B2ts_v2', machine(2, 1)],
  ['Standard_B2ats_v2', machine(2, 1)],
  ['Standard_M16ms', machine(16, 437.5)],
  ['e2-medium', machine(2, 4)],
  ['t3.medium', machine(2, 4)],
  ['t3.large', machine(2, 8)],
]);

/** No machine has more; the size is a number that users write. */
const maxCpus = 1024;

/** Undefined for names that are not known. */
export function machineOf(instanceType: string): Machine | undefined {
  const known = others.get(instanceType);
  if (known !== undefined) return known;
  for (const { pattern, gibPerCpu, cpus = Number } of families) {
    const size = pattern.exec(instanceType)?.[1];
    const count = size === undefined ? 0 : cpus(size);
    if (count > 0 && count <= maxCpus) return machine(count, count * gibPerCpu);
  }
  return undefined;
}

function machine(cpus: number, memoryGib: number): Machine {
  return { cpus, memoryMi: memoryGib * 1024 };
}

/** `large` has two CPUs, `xlarge` four, `2xlarge` eight. */
function cpusOfSize(size: string): number {
  if (size === 'large') return 2;
  return size.endsWith('xlarge') ? 4 * Number(size.slice(0, -'xlarge'.length) || 1) : 0;
}
