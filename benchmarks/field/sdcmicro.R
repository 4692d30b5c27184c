# What sdcMicro prints about its own test data: Rscript sdcmicro.R LIBRARY FOLDER; LIBRARY is the folder of R packages that has it.
# Writes testdata.csv and free1.csv to FOLDER, and a line of JSON with the figures to the standard output.
arguments <- commandArgs(trailingOnly = TRUE)
suppressMessages(library(sdcMicro, lib.loc = c(arguments[1], .libPaths())))
data(testdata)
data(free1)
free1 <- as.data.frame(free1)
write.csv(testdata, file.path(arguments[2], "testdata.csv"), row.names = FALSE, na = "")
write.csv(free1, file.path(arguments[2], "free1.csv"), row.names = FALSE, na = "")
figures <- function(table, columns, weight) {
  counted <- freqCalc(table, keyVars = columns, w = weight)
  fk <- counted$fk
  risk <- indivRisk(counted)$rk
  sprintf('{"version": "%s", "records": %d, "below": {"2": %d, "3": %d, "5": %d}, "average": %.12f, "weighted": %.12f}',
    as.character(packageVersion("sdcMicro")), length(fk), sum(fk < 2), sum(fk < 3), sum(fk < 5), mean(1 / fk), sum(risk))
}
seven <- c("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")
cat(sprintf('{"testdata, 7 columns": %s, "testdata, 5 columns": %s, "free1, 3 columns": %s}\n',
  figures(testdata, seven, "sampling_weight"),
  figures(testdata, c("urbrur", "roof", "walls", "water", "sex"), "sampling_weight"),
  figures(free1, c("REGION", "SEX", "AGE"), "WEIGHT")))
