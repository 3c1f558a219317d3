{{- define "assay.labels" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "assay.selector" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "assay.pod" -}}
{{- if .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml .Values.imagePullSecrets | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: tmp
    emptyDir: {}
  - name: data
    emptyDir: {}
  {{- if .Values.caSecretName }}
  - name: ca
    secret:
      secretName: {{ .Values.caSecretName }}
  {{- end }}
{{- end }}

{{- define "assay.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: data
    mountPath: /var/lib/assay
  {{- if .Values.caSecretName }}
  - name: ca
    mountPath: /etc/assay/ca
    readOnly: true
  {{- end }}
envFrom:
  - secretRef:
      name: {{ .Values.secretName }}
{{- end }}

{{- define "assay.env" -}}
- name: HOST
  value: 0.0.0.0
- name: METRICS_HOST
  value: 0.0.0.0
- name: PORT
  value: {{ .Values.api.port | quote }}
- name: METRICS_PORT
  value: {{ .Values.api.metricsPort | quote }}
- name: WORKER_METRICS_PORT
  value: {{ .Values.worker.metricsPort | quote }}
- name: SHUTDOWN_DRAIN_SECONDS
  value: {{ .Values.api.drainSeconds | quote }}
{{- if .Values.caSecretName }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/assay/ca/ca.pem
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
