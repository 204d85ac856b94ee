import { s, type Infer } from '@flotilla/schema';

const serverSideApplyConfig = s.object('How server-side apply is done; only for that type.', {
  force: s.optional(s.boolean('Take fields that other managers own, instead of failing with a conflict.')),
});

/** How objects are applied on a member, and what happens to existing ones. */
export const applyStrategy = s.object('How objects are applied on the member.', {
  type: s.withDefault(
    s.oneOf(
      ['ClientSideApply', 'ServerSideApply', 'ReportDiff'],
      'ClientSideApply is a three-way merge with what was applied last, ServerSideApply leaves the merge to the member; ReportDiff applies nothing and tells how the member differs.',
    ),
    'ClientSideApply',
  ),
  comparisonOption: s.withDefault(
    s.oneOf(
      ['PartialComparison', 'FullComparison'],
      'Which fields count as differences: those that the hub sets, or all that either side has.',
    ),
    'PartialComparison',
  ),
  whenToApply: s.withDefault(
    s.oneOf(
      ['Always', 'IfNotDrifted'],
      'Always overwrites what was changed on the member; IfNotDrifted leaves it and reports the drift.',
    ),
    'Always',
  ),
  whenToTakeOver: s.withDefault(
    s.oneOf(
      ['Always', 'IfNoDiff', 'Never'],
      'Whether an object that was on the member before becomes ours: always, only where it is as the hub wants it, or never.',
    ),
    'Always',
  ),
  allowCoOwnership: s.optional(
    s.boolean('Apply also to objects that have other owners beside us; without it such objects are an error.'),
  ),
  serverSideApplyConfig: s.optional(serverSideApplyConfig),
});

export type ApplyStrategy = Infer<typeof applyStrategy>;

/** Whether the statuses of applied objects are copied to the hub. Placements add another rule. */
export const reportBackStrategyFields = {
  type: s.requiredWithDefault(
    s.oneOf(['Disabled', 'Mirror'], 'Disabled reports nothing; Mirror copies the status that the member sees.'),
    'Disabled',
  ),
  destination: s.optional(
    s.oneOf(
      ['OriginalResource', 'WorkAPI'],
      'Where statuses go: onto the object on the hub that was placed, or into the Work.',
    ),
  ),
} as const;

export const reportBackStrategy = s.object(
  'How the statuses of applied objects come back to the hub.',
  reportBackStrategyFields,
);

export type ReportBackStrategy = Infer<typeof reportBackStrategy>;

/** One field that differs between the member and the hub. */
export const patchDetail = s.object('One field that differs.', {
  path: s.string('Where it is, as a JSON pointer.'),
  valueInMember: s.optional(s.string('What the member has; absent where it has nothing there.')),
  valueInHub: s.optional(s.string('What the hub has; absent where it has nothing there.')),
});

export type PatchDetail = Infer<typeof patchDetail>;
