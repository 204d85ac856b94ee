// Command argo-cd runs one part of Argo CD, as its images do: the application controller, or the repo server that it reads
// manifests from. The part redis takes the place of the Redis between them.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alicebob/miniredis/v2"
	"github.com/spf13/cobra"

	appcontroller "github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
	reposerver "github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
)

func main() {
	root := &cobra.Command{Use: "argo-cd", SilenceUsage: true}
	root.AddCommand(
		named("application-controller", appcontroller.NewCommand()),
		named("repo-server", reposerver.NewCommand()),
		redisCommand(),
	)
	if err := root.Execute(); err != nil {
		os.Exit(1)
	}
}

func named(name string, command *cobra.Command) *cobra.Command {
	command.Use = name
	return command
}

// redisCommand prints its address, and serves until it is stopped.
func redisCommand() *cobra.Command {
	return &cobra.Command{Use: "redis", RunE: func(*cobra.Command, []string) error {
		server := miniredis.NewMiniRedis()
		if err := server.StartAddr("127.0.0.1:0"); err != nil {
			return err
		}
		defer server.Close()
		fmt.Println(server.Addr())
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
		<-stop
		return nil
	}}
}
