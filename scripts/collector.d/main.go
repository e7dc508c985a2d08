// A minimal OpenTelemetry Collector: its own receiver of OTLP, and an exporter that
// prints what has come through, as the Collector's own JSON, one object a line.
package main

import (
	"context"
	"fmt"
	"os"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/yamlprovider"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/service/telemetry/otelconftelemetry"
)

func main() {
	command := otelcol.NewCommand(otelcol.CollectorSettings{
		BuildInfo: component.BuildInfo{Command: "collector", Version: "test"},
		Factories: components,
		ConfigProviderSettings: otelcol.ConfigProviderSettings{ResolverSettings: confmap.ResolverSettings{
			DefaultScheme: "yaml", ProviderFactories: []confmap.ProviderFactory{yamlprovider.NewFactory()},
		}},
	})
	if err := command.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func components() (f otelcol.Factories, err error) {
	f.Telemetry = otelconftelemetry.NewFactory() // of itself
	if f.Receivers, err = otelcol.MakeFactoryMap[receiver.Factory](otlpreceiver.NewFactory()); err != nil {
		return f, err
	}
	f.Exporters, err = otelcol.MakeFactoryMap[exporter.Factory](exporter.NewFactory(component.MustNewType("print"),
		func() component.Config { return &struct{}{} },
		exporter.WithMetrics(printMetrics, component.StabilityLevelStable),
		exporter.WithLogs(printLogs, component.StabilityLevelStable)))
	return f, err
}

type metricsPrinter struct {
	component.StartFunc
	component.ShutdownFunc
	consumer.Metrics
}

func printMetrics(context.Context, exporter.Settings, component.Config) (exporter.Metrics, error) {
	c, err := consumer.NewMetrics(func(_ context.Context, m pmetric.Metrics) error {
		return printed((&pmetric.JSONMarshaler{}).MarshalMetrics(m))
	})
	return metricsPrinter{Metrics: c}, err
}

type logsPrinter struct {
	component.StartFunc
	component.ShutdownFunc
	consumer.Logs
}

func printLogs(context.Context, exporter.Settings, component.Config) (exporter.Logs, error) {
	c, err := consumer.NewLogs(func(_ context.Context, l plog.Logs) error {
		return printed((&plog.JSONMarshaler{}).MarshalLogs(l))
	})
	return logsPrinter{Logs: c}, err
}

func printed(line []byte, err error) error {
	if err == nil {
		_, err = os.Stdout.Write(append(line, '\n'))
	}
	return err
}
