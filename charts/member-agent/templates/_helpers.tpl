{{- define "member-agent.selectorLabels" -}}
app.kubernetes.io/name: member-agent
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "member-agent.labels" -}}
{{ include "member-agent.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "member-agent.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
{{- end }}

{{- define "member-agent.refreshImage" -}}
{{- if .Values.refreshtoken.repository -}}
{{ printf "%s:%s" .Values.refreshtoken.repository (.Values.refreshtoken.tag | default .Chart.AppVersion) | quote }}
{{- else -}}
{{ include "member-agent.image" . }}
{{- end }}
{{- end }}

{{/* Where the token comes from: none, projected, mounted or copied. */}}
{{- define "member-agent.token" -}}
{{- if .Values.useCAAuth }}none
{{- else if eq .Values.config.provider "projected" }}projected
{{- else if eq .Values.secret.namespace .Values.namespace }}mounted
{{- else }}copied
{{- end }}
{{- end }}

{{/* The flags of `flotilla agent`, without those that are empty. */}}
{{- define "member-agent.args" -}}
{{- $values := .Values }}
{{- $works := "work-applier-requeue-rate-limiter" }}
{{- $flags := dict
  "leader-elect" true
  "leader-election-namespace" $values.namespace
  "install-definitions" true
  "v" $values.logVerbosity
  "use-ca-auth" $values.useCAAuth
  "tls-insecure" $values.tlsClientInsecure
  "property-provider" $values.propertyProvider
  "region" $values.region
  "enable-namespace-collection-in-property-provider" $values.enableNamespaceCollectionInPropertyProvider
  (printf "%s-attempts-with-fixed-delay" $works) $values.workApplierRequeueRateLimiterAttemptsWithFixedDelay
  (printf "%s-fixed-delay-seconds" $works) $values.workApplierRequeueRateLimiterFixedDelaySeconds
  (printf "%s-exponential-base-for-slow-backoff" $works) $values.workApplierRequeueRateLimiterExponentialBaseForSlowBackoff
  (printf "%s-initial-slow-backoff-delay-seconds" $works) $values.workApplierRequeueRateLimiterInitialSlowBackoffDelaySeconds
  (printf "%s-max-slow-backoff-delay-seconds" $works) $values.workApplierRequeueRateLimiterMaxSlowBackoffDelaySeconds
  (printf "%s-exponential-base-for-fast-backoff" $works) $values.workApplierRequeueRateLimiterExponentialBaseForFastBackoff
  (printf "%s-max-fast-backoff-delay-seconds" $works) $values.workApplierRequeueRateLimiterMaxFastBackoffDelaySeconds
  (printf "%s-skip-to-fast-backoff-for-available-or-diff-reported-work-objs" $works) $values.workApplierRequeueRateLimiterSkipToFastBackoffForAvailableOrDiffReportedWorkObjs
}}
{{- if $values.enablePprof }}
{{- $flags = merge $flags (dict "enable-pprof" true "pprof-port" $values.pprofPort "hub-pprof-port" $values.hubPprofPort) }}
{{- end }}
{{- with $values.priorityQueue }}
{{- if .enabled }}
{{- $flags = merge $flags (dict
  "enable-work-applier-priority-queue" true
  "work-applier-priority-linear-equation-coeff-a" .priorityLinearEquationCoeffA
  "work-applier-priority-linear-equation-coeff-b" .priorityLinearEquationCoeffB
) }}
{{- end }}
{{- end }}
{{- range $flag, $value := $flags }}
{{- $text := toString $value }}
{{- if $text }}
- {{ printf "--%s=%s" $flag $text | quote }}
{{- end }}
{{- end }}
{{- range $values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end }}

{{/* The agent refuses a CA that is set twice or empty. */}}
{{- define "member-agent.env" -}}
{{- $config := .Values.config }}
- name: HUB_SERVER_URL
  value: {{ required "config.hubURL is missing: the address of the hub's API server." $config.hubURL | quote }}
- name: MEMBER_CLUSTER_NAME
  value: {{ required "config.memberClusterName is missing: the name of the MemberCluster on the hub." $config.memberClusterName | quote }}
{{- if .Values.useCAAuth }}
- name: IDENTITY_KEY
  value: {{ required "useCAAuth needs config.identityKey, the file of the client key." $config.identityKey | quote }}
- name: IDENTITY_CERT
  value: {{ required "useCAAuth needs config.identityCert, the file of the client certificate." $config.identityCert | quote }}
{{- else }}
- name: CONFIG_PATH
  value: /config/token
{{- end }}
{{- if and .Values.useCAAuth $config.CABundle }}
- name: CA_BUNDLE
  value: {{ $config.CABundle | quote }}
{{- else if $config.hubCA }}
- name: HUB_CERTIFICATE_AUTHORITY
  value: {{ $config.hubCA | quote }}
{{- end }}
{{- end }}

{{- define "member-agent.check" -}}
{{- if eq .Values.config.provider "azure" }}
{{- fail "config.provider azure is not supported: use secret, or projected with a hub that trusts the issuer of this cluster." }}
{{- end }}
{{- end }}
